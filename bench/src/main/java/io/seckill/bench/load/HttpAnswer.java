package io.seckill.bench.load;

import java.io.IOException;

/**
 * Reads the parts of an HTTP/1.1 answer that a load generator needs: the status and the end of the
 * body.
 */
final class HttpAnswer {
  private static final String LENGTH = "content-length:";
  private static final String ENCODING = "transfer-encoding:";

  private int status;
  private int bodyStart;
  private int bodyEnd;

  /** Parses the first {@code length} bytes; false when the answer is not complete yet. */
  boolean parse(byte[] bytes, int length) throws IOException {
    int headEnd = headEnd(bytes, length);
    if (headEnd < 0) {
      if (length == bytes.length) {
        throw new IOException("an answer's head of more than " + length + " bytes");
      }
      return false;
    }
    status = (bytes[9] - '0') * 100 + (bytes[10] - '0') * 10 + bytes[11] - '0';
    bodyStart = headEnd;
    bodyEnd = headEnd;
    boolean chunked = false;
    for (int line = nextLine(bytes, 0); line < headEnd - 2; line = nextLine(bytes, line)) {
      if (startsWith(bytes, line, LENGTH)) {
        bodyEnd = bodyStart + decimal(bytes, line + LENGTH.length());
      } else if (startsWith(bytes, line, ENCODING)) {
        chunked = true;
      }
    }
    if (!chunked) {
      return length >= bodyEnd;
    }
    bodyEnd = length;
    return length >= bodyStart + 5
        && bytes[length - 5] == '0'
        && bytes[length - 4] == '\r'
        && bytes[length - 2] == '\r'
        && bytes[length - 1] == '\n';
  }

  int status() {
    return status;
  }

  boolean bodyContains(byte[] bytes, String text) {
    for (int at = bodyStart; at <= bodyEnd - text.length(); at++) {
      int i = 0;
      while (i < text.length() && bytes[at + i] == text.charAt(i)) {
        i++;
      }
      if (i == text.length()) {
        return true;
      }
    }
    return false;
  }

  private static int headEnd(byte[] bytes, int length) {
    for (int i = 3; i < length; i++) {
      if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n') {
        return i + 1;
      }
    }
    return -1;
  }

  private static int nextLine(byte[] bytes, int from) {
    int at = from;
    while (bytes[at] != '\n') {
      at++;
    }
    return at + 1;
  }

  private static boolean startsWith(byte[] bytes, int from, String lowerCase) {
    for (int i = 0; i < lowerCase.length(); i++) {
      int actual = bytes[from + i];
      if (actual >= 'A' && actual <= 'Z') {
        actual += 'a' - 'A';
      }
      if (actual != lowerCase.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static int decimal(byte[] bytes, int from) {
    int at = from;
    while (bytes[at] == ' ') {
      at++;
    }
    int value = 0;
    while (bytes[at] >= '0' && bytes[at] <= '9') {
      value = value * 10 + bytes[at++] - '0';
    }
    return value;
  }
}
