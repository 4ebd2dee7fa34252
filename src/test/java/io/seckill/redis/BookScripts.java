package io.seckill.redis;

import io.seckill.book.Book;
import io.seckill.book.script.Script;
import io.seckill.book.script.ScriptReply;
import io.seckill.domain.RequestId;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;

/** The scripts, called by name on one product: what Redis answers, which must be a known reply. */
public record BookScripts(ScriptRunner scripts, long productId) {
  static final long NO_LIMIT = 0;

  List<Object> run(String script, Object... arguments) {
    String[] texts = Stream.of(arguments).map(String::valueOf).toArray(String[]::new);
    return run(scripts, script, ScriptCall.of(productId, texts));
  }

  /** What Redis answers, as it is. */
  public static List<Object> run(ScriptRunner scripts, String script, ScriptCall call) {
    AtomicReference<List<Object>> answered = new AtomicReference<>();
    Function<List<Object>, ScriptReply> noting =
        values -> {
          answered.set(values);
          return Script.named(script).read(values);
        };
    scripts.call(new Script<>(script, noting), call);
    return answered.get();
  }

  public String requestId(long userId, String key) {
    return RequestId.of(productId, userId, key).toString();
  }

  public List<Object> preheat(long stock, int maxQuantity) {
    return run("preheat", 1, stock, maxQuantity, "", "", "OPEN");
  }

  public List<Object> reserve(long userId, String key, int quantity) {
    return run("reserve", userId, key, requestId(userId, key), quantity, NO_LIMIT);
  }

  List<Object> confirm(long userId, String key, long orderId, int quantity) {
    return run("confirm", requestId(userId, key), orderId, quantity);
  }

  List<Object> release(long userId, String key) {
    return run("release", "FAIL_SYSTEM", "poison", requestId(userId, key), key, 1);
  }

  List<Object> writeOff(long userId, String key) {
    return run("release", "FAIL_SOLD_OUT", "no unit in MySQL", requestId(userId, key), key, 1);
  }

  public List<Object> lookup(long userId, String key) {
    return run("lookup", userId, key, "");
  }

  public Book book() {
    return scripts.book(productId).orElseThrow();
  }
}
