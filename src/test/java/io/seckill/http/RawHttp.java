package io.seckill.http;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

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
}
