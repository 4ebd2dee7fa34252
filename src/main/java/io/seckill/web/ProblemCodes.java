package io.seckill.web;

import io.seckill.answer.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** What each code of a problem means, as pages: a problem's {@code type} is the address of one. */
public final class ProblemCodes {
  private static final String RESOURCE = "/web/problems/problems.properties";
  private static final int PARTS = 4;

  private ProblemCodes() {}

  /**
   * One code.
   *
   * @param status the HTTP status
   * @param who meets it
   * @param meaning what it says
   * @param remedy what to do
   */
  public record Code(String status, String who, String meaning, String remedy) {}

  /** All codes, by name. */
  public static Map<String, Code> all() {
    Properties lines = new Properties();
    try (InputStream in = ProblemCodes.class.getResourceAsStream(RESOURCE);
        Reader text = new InputStreamReader(in, StandardCharsets.UTF_8)) {
      lines.load(text);
    } catch (IOException e) {
      throw new UncheckedIOException(RESOURCE, e);
    }
    Map<String, Code> codes = new TreeMap<>();
    for (String name : lines.stringPropertyNames()) {
      String[] parts = lines.getProperty(name).split(" \\| ");
      if (parts.length != PARTS) {
        throw new IllegalStateException(RESOURCE + ": " + name + " has not four parts");
      }
      codes.put(name, new Code(parts[0], parts[1], parts[2], parts[3]));
    }
    return codes;
  }

  /** A page for each code, and one that lists them, by path. */
  static Map<String, byte[]> pages() {
    Map<String, byte[]> pages = new LinkedHashMap<>();
    StringBuilder list = new StringBuilder("<h1>Problems</h1>\n<ul>\n");
    all()
        .forEach(
            (name, code) -> {
              pages.put(Refusal.TYPES + name, page(name, of(name, code)));
              list.append("<li><a href=\"")
                  .append(Refusal.TYPES)
                  .append(name)
                  .append("\">")
                  .append(name)
                  .append("</a>: ")
                  .append(escaped(code.meaning()))
                  .append("</li>\n");
            });
    pages.put("/problems", page("Problems", list.append("</ul>").toString()));
    return pages;
  }

  private static String of(String name, Code code) {
    return "<h1>"
        + name
        + "</h1>\n<p>HTTP status "
        + code.status()
        + "</p>\n<dl>\n<dt>What it means</dt><dd>"
        + escaped(code.meaning())
        + "</dd>\n<dt>Who meets it</dt><dd>"
        + escaped(code.who())
        + "</dd>\n<dt>What to do</dt><dd>"
        + escaped(code.remedy())
        + "</dd>\n</dl>\n<p><a href=\"/problems\">All problems</a></p>";
  }

  private static byte[] page(String title, String body) {
    return ("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
            + title
            + "</title>\n<link rel=\"stylesheet\" href=\"/web/common/common.css\">\n"
            + "<link rel=\"icon\" href=\"/web/common/icon.svg\">\n</head>\n<body>\n<main>\n"
            + body
            + "\n</main>\n</body>\n</html>\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
