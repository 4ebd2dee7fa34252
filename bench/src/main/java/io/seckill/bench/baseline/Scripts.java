package io.seckill.bench.baseline;

import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The repository's Lua scripts, by their names. */
public final class Scripts {
  private Scripts() {}

  /** Loads a script into Redis and returns its SHA. */
  public static String load(RedisCommands<String, String> redis, String name) {
    return redis.scriptLoad(source(name));
  }

  static String source(String name) {
    try (InputStream in = Scripts.class.getResourceAsStream("/lua/" + name + ".lua")) {
      if (in == null) {
        throw new IllegalStateException("no script " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("script " + name + " cannot be read", e);
    }
  }
}
