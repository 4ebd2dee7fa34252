package io.seckill.http;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Requests that a proper client would not send. */
public final class RawHttp {
  private static final int TIMEOUT_MILLIS = 60_000;

  private RawHttp() {}

  /** Sends the text and reads until the server closes. */
  public static String exchange(int port, String text) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  public static String get(String baseUrl, String path, long userId) throws IOException {
    return exchange(
        URI.create(baseUrl).getPort(),
        "GET "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nX-User-Id: "
            + userId
            + "\r\nConnection: close\r\n\r\n");
  }

  /** One answer, with the headers as they came. */
  public record Answer(int status, String head, String body) {
    /** The header's value; empty when there is none. */
    public String header(String name) {
      String start = name.toLowerCase(Locale.ROOT) + ":";
      return head.lines()
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
          .map(line -> line.substring(start.length()).strip())
          .findFirst()
          .orElse("");
    }
  }

  /** Sends the text, reads until the server closes, and parts what came into answers. */
  public static List<Answer> answers(int port, String text) throws IOException {
    return parse(exchange(port, text));
  }

  /**
   * Parts what a server sent into answers, without the informational ones.
   *
   * @throws IllegalStateException where it is not a row of whole answers
   */
  static List<Answer> parse(String text) {
    List<Answer> answers = new ArrayList<>();
    int position = 0;
    while (position < text.length()) {
      int end = text.indexOf("\r\n\r\n", position);
      if (end < 0 || !text.startsWith("HTTP/1.", position)) {
        throw new IllegalStateException("No answer: " + text.substring(position));
      }
      String head = text.substring(position, end);
      int status = Integer.parseInt(head.substring(9, 12));
      position = end + 4;
      if (status < 200) {
        continue;
      }
      Answer headers = new Answer(status, head, "");
      if (headers.header("transfer-encoding").equals("chunked")) {
        StringBuilder body = new StringBuilder();
        position = dechunk(text, position, body);
        answers.add(new Answer(status, head, body.toString()));
        continue;
      }
      String length = headers.header("content-length");
      int size = length.isEmpty() ? 0 : Integer.parseInt(length);
      if (position + size > text.length()) {
        throw new IllegalStateException("A body was cut off: " + text);
      }
      answers.add(new Answer(status, head, text.substring(position, position + size)));
      position += size;
    }
    return answers;
  }

  private static int dechunk(String text, int start, StringBuilder body) {
    int position = start;
    while (true) {
      int line = text.indexOf("\r\n", position);
      int size = Integer.parseInt(text.substring(position, line), 16);
      body.append(text, line + 2, line + 2 + size);
      position = line + 2 + size + 2;
      if (size == 0) {
        return position;
      }
    }
  }
}
