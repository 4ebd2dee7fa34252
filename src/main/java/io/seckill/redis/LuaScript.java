package io.seckill.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Function;

/**
 * A script of folder {@code lua}.
 *
 * @param name file name without {@code .lua}
 * @param sha1 the name that EVALSHA takes
 */
record LuaScript(String name, String source, String sha1) {

  /**
   * @throws IllegalArgumentException when there is no such script on the classpath
   */
  static LuaScript load(String name) {
    return load(name, LuaScript.class.getClassLoader()::getResourceAsStream);
  }

  /**
   * @param resources finds a file by its path
   * @throws IllegalArgumentException when there is no such script
   */
  static LuaScript load(String name, Function<String, InputStream> resources) {
    String resource = "lua/" + name + ".lua";
    try (InputStream in = resources.apply(resource)) {
      if (in == null || !name.matches("[a-z-]+")) {
        throw new IllegalArgumentException("There is no script " + resource);
      }
      byte[] bytes = in.readAllBytes();
      return new LuaScript(name, new String(bytes, StandardCharsets.UTF_8), sha1(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + resource, e);
    }
  }

  private static String sha1(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-1 is part of every Java platform", e);
    }
  }
}
