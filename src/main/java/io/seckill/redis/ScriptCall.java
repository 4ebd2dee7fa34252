package io.seckill.redis;

import io.seckill.book.BookKeys;

/**
 * One call of a script on one product's book: the message body that {@code redis-script:NAME}
 * takes.
 */
public interface ScriptCall {
  long productId();

  /** KEYS; all have one hash tag. */
  default String[] keys() {
    return BookKeys.all(productId());
  }

  /**
   * The run id of the only Redis this call may reach; null where any will do. A call that would
   * reach another one fails and is not sent.
   */
  default String run() {
    return null;
  }

  /** ARGV, in the order the script's header comment gives. */
  String[] arguments();

  static ScriptCall of(long productId, String... arguments) {
    return new ScriptCall() {
      @Override
      public long productId() {
        return productId;
      }

      @Override
      public String[] arguments() {
        return arguments;
      }
    };
  }
}
