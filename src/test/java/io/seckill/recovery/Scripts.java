package io.seckill.recovery;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.seckill.book.BookKeys;
import io.seckill.domain.RequestId;
import io.seckill.redis.ScriptCall;
import io.seckill.testing.TestServers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** The scripts of folder {@code lua}, run on one product of the tests' Redis. */
record Scripts(long productId) {

  static RedisCommands<String, String> redis() {
    return TestServers.get().redisCommands();
  }

  List<Object> run(String script, Object... arguments) {
    return run(
        script,
        ScriptCall.of(productId, Stream.of(arguments).map(String::valueOf).toArray(String[]::new)));
  }

  /** Runs a script that gets the staging keys too. */
  List<Object> stage(String script, Object... arguments) {
    return run(
        script,
        new StagingCall(
            productId, Stream.of(arguments).map(String::valueOf).toArray(String[]::new)));
  }

  static List<Object> run(String script, ScriptCall call) {
    return redis().eval(source(script), ScriptOutputType.MULTI, call.keys(), call.arguments());
  }

  private static String source(String script) {
    try (InputStream in = Scripts.class.getResourceAsStream("/lua/" + script + ".lua")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String requestId(long userId, String key) {
    return RequestId.of(productId, userId, key).toString();
  }

  void preheat(long stock) {
    run("preheat", 1, stock, 5, "", "", "OPEN");
  }

  List<Object> reserve(long userId, String key, int quantity) {
    return run("reserve", userId, key, requestId(userId, key), quantity, 0);
  }

  String sale(String field) {
    return redis().hget(BookKeys.sale(productId), field);
  }
}
