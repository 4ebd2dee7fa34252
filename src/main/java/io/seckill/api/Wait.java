package io.seckill.api;

import io.seckill.answer.Refusal;
import io.seckill.answer.Refusals;
import io.seckill.http.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A buyer's wish to be answered when his purchase has ended, but not later than after some time.
 *
 * @param seconds 1 to {@link #MAX_SECONDS}
 * @param preferred whether it was asked for by {@code Prefer} (RFC 7240), so that the answer tells
 *     that it was applied
 * @param whenClosed runs what it is given when the client closes the connection
 */
record Wait(int seconds, boolean preferred, Consumer<Runnable> whenClosed) {
  static final int MAX_SECONDS = 30;

  private static final String PARAMETER = "wait";
  private static final String PREFER = "Prefer";

  private static final Refusal BAD_PARAMETER =
      Refusals.invalid("wait must be a number of seconds, 0 to " + MAX_SECONDS + ", given once.");
  private static final Refusal BAD_PREFERENCE =
      Refusals.invalid("Prefer: wait must be a number of seconds, 0 to " + MAX_SECONDS + ".");

  /**
   * The wish of {@code ?wait=}, else that of {@code Prefer: wait=}; null for none, or for 0
   * seconds.
   *
   * @throws Refusal 400 INVALID_REQUEST
   */
  static Wait read(Request request) {
    List<String> values = request.query().get(PARAMETER);
    if (values == null) {
      return preferred(request);
    }
    if (values.size() > 1) {
      throw BAD_PARAMETER;
    }
    return of(seconds(values.get(0), BAD_PARAMETER), false, request);
  }

  /**
   * The wish of {@code Prefer: wait=}; null for none, or for 0 seconds. Other preferences are
   * ignored; the first of several counts.
   *
   * @throws Refusal 400 INVALID_REQUEST
   */
  static Wait preferred(Request request) {
    if (request.header(PREFER) == null) {
      return null;
    }
    for (String header : request.headers(PREFER)) {
      for (String preference : split(header, ',')) {
        String[] nameAndValue = split(preference, ';').get(0).split("=", 2);
        if (nameAndValue[0].strip().equalsIgnoreCase(PARAMETER)) {
          String value = nameAndValue.length == 1 ? "" : nameAndValue[1].strip();
          String text =
              value.matches("\"[^\"]*\"") ? value.substring(1, value.length() - 1) : value;
          return of(seconds(text, BAD_PREFERENCE), true, request);
        }
      }
    }
    return null;
  }

  /** The parts between separators that are not in quotes; at least one. */
  private static List<String> split(String text, char separator) {
    List<String> parts = new ArrayList<>();
    boolean quoted = false;
    int begin = 0;
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (quoted && each == '\\') {
        i++;
      } else if (each == '"') {
        quoted = !quoted;
      } else if (each == separator && !quoted) {
        parts.add(text.substring(begin, i));
        begin = i + 1;
      }
    }
    parts.add(text.substring(begin));
    return parts;
  }

  private static Wait of(int seconds, boolean preferred, Request request) {
    return seconds == 0 ? null : new Wait(seconds, preferred, request::whenClosed);
  }

  private static int seconds(String text, Refusal malformed) {
    if (!text.matches("[0-9]{1,2}") || Integer.parseInt(text) > MAX_SECONDS) {
      throw malformed;
    }
    return Integer.parseInt(text);
  }
}
