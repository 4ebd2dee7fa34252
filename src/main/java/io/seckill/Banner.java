package io.seckill;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/** Prints {@code banner.txt} and all addresses once the application is up. */
final class Banner {
  private Banner() {}

  static String of(Map<String, String> lines) {
    int width = lines.keySet().stream().mapToInt(String::length).max().orElse(0);
    StringBuilder text = new StringBuilder(picture());
    lines.forEach(
        (name, value) ->
            text.append(String.format(Locale.ROOT, "  %-" + width + "s  %s%n", name, value)));
    return text.toString().stripTrailing();
  }

  private static String picture() {
    try (InputStream in = Banner.class.getResourceAsStream("/banner.txt")) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("banner.txt cannot be read", e);
    }
  }
}
