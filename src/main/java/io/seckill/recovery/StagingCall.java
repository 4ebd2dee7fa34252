package io.seckill.recovery;

import io.seckill.book.BookKeys;
import io.seckill.redis.ScriptCall;
import java.util.Arrays;

/** A call of a script with the staging keys of a rebuild as KEYS 5 and 6. */
record StagingCall(long productId, String... arguments) implements ScriptCall {

  /** The keys of the book, then {@code seckill:{p}:staging:sale} and {@code …:staging:users}. */
  @Override
  public String[] keys() {
    String[] book = BookKeys.all(productId);
    String[] keys = Arrays.copyOf(book, book.length + 2);
    keys[book.length] = "seckill:{" + productId + "}:staging:sale";
    keys[book.length + 1] = "seckill:{" + productId + "}:staging:users";
    return keys;
  }
}
