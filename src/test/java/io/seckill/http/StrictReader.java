package io.seckill.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads requests as RFC 9112 defines them and nothing else, for tests to compare a server with:
 * what this reader does not find was not sent.
 */
final class StrictReader {
  private static final Pattern REQUEST_LINE = Pattern.compile("[A-Z]+ [!-~]+ HTTP/1\\.([01])");
  private static final Pattern FIELD =
      Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*([\\t -~\\x80-\\xFF]*?)[ \\t]*");
  private static final Pattern CHUNK_LINE =
      Pattern.compile("([0-9A-Fa-f]{1,7})[ \\t]*(?:;[\\t -~\\x80-\\xFF]*)?");

  private final String text;
  private final List<String> tags = new ArrayList<>();
  private int position;

  private StrictReader(String text) {
    this.text = text;
  }

  /** What {@code X-Tag} says in each whole request, in order; empty where there is none. */
  static List<String> tags(String text) {
    StrictReader reader = new StrictReader(text);
    while (reader.readRequest()) {}
    return reader.tags;
  }

  private boolean readRequest() {
    while (text.startsWith("\r\n", position)) {
      position += 2;
    }
    String line = line();
    Matcher request = line == null ? null : REQUEST_LINE.matcher(line);
    if (request == null || !request.matches()) {
      return false;
    }
    String tag = "";
    String length = null;
    String coding = null;
    for (line = unfolded(); line != null && !line.isEmpty(); line = unfolded()) {
      Matcher field = FIELD.matcher(line);
      if (!field.matches()) {
        return false;
      }
      String value = field.group(2);
      switch (field.group(1).toLowerCase(Locale.ROOT)) {
        case "x-tag" -> tag = value;
        case "content-length" -> {
          if (length != null) {
            return false;
          }
          length = value;
        }
        case "transfer-encoding" -> {
          if (coding != null) {
            return false;
          }
          coding = value;
        }
        default -> {}
      }
    }
    if (line == null || !readBody(request.group(1).equals("1"), length, coding)) {
      return false;
    }
    tags.add(tag);
    return true;
  }

  private boolean readBody(boolean chunks, String length, String coding) {
    if (coding != null) {
      return chunks && length == null && coding.equalsIgnoreCase("chunked") && readChunks();
    }
    if (length == null) {
      return true;
    }
    if (!length.matches("[0-9]{1,9}")) {
      return false;
    }
    position += Integer.parseInt(length);
    return position <= text.length();
  }

  private boolean readChunks() {
    while (true) {
      String line = line();
      Matcher chunk = line == null ? null : CHUNK_LINE.matcher(line);
      if (chunk == null || !chunk.matches()) {
        return false;
      }
      int size = Integer.parseInt(chunk.group(1), 16);
      if (size == 0) {
        return readTrailers();
      }
      position += size;
      if (!text.startsWith("\r\n", position)) {
        return false;
      }
      position += 2;
    }
  }

  private boolean readTrailers() {
    String line = unfolded();
    while (line != null && FIELD.matcher(line).matches()) {
      line = unfolded();
    }
    return line != null && line.isEmpty();
  }

  /** The next line of a head, with the lines that begin with white space and so continue it. */
  private String unfolded() {
    String line = line();
    while (line != null
        && !line.isEmpty()
        && position < text.length()
        && " \t".indexOf(text.charAt(position)) >= 0) {
      String more = line();
      line = more == null ? null : line.stripTrailing() + " " + more.strip();
    }
    return line;
  }

  /** The next line, without the CRLF that ends it; null when there is none. */
  private String line() {
    int end = text.indexOf("\r\n", position);
    if (end < 0) {
      return null;
    }
    String line = text.substring(position, end);
    position = end + 2;
    return line;
  }
}
