package io.seckill.book.script;

import io.seckill.domain.Status;
import java.util.List;

/** Reads the values of a reply by position; throws for a value of another type. */
final class Values {
  private Values() {}

  static int code(List<?> values) {
    return Math.toIntExact((Long) values.get(0));
  }

  static IllegalArgumentException unknownCode(List<?> values) {
    return new IllegalArgumentException("unknown code " + values.get(0));
  }

  static long number(List<?> values, int index) {
    return (Long) values.get(index);
  }

  static boolean flag(List<?> values, int index) {
    return number(values, index) == 1;
  }

  static String text(List<?> values, int index) {
    return (String) values.get(index);
  }

  /** A text; null when it is empty. */
  static String textOrNull(List<?> values, int index) {
    String text = text(values, index);
    return text.isEmpty() ? null : text;
  }

  /** A number that the script gives as a text; null when the text is empty. */
  static Long textAsNumberOrNull(List<?> values, int index) {
    String text = text(values, index);
    return text.isEmpty() ? null : Long.valueOf(text);
  }

  /** A number that the script gives as a text. */
  static long textAsNumber(List<?> values, int index) {
    return Long.parseLong(text(values, index));
  }

  static Status status(List<?> values, int index) {
    return Status.valueOf(text(values, index));
  }

  /** All values from this position on, as texts. */
  @SuppressWarnings("unchecked")
  static List<String> texts(List<?> values, int from) {
    return (List<String>) values.subList(from, values.size());
  }

  /** All values from this position on, as lists. */
  @SuppressWarnings("unchecked")
  static List<List<?>> lists(List<?> values, int from) {
    return (List<List<?>>) values.subList(from, values.size());
  }
}
