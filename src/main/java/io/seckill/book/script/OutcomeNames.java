package io.seckill.book.script;

import java.util.Locale;

/** The outcomes' names, each made once of its record's: {@code SoldOut} is {@code SOLD_OUT}. */
final class OutcomeNames {
  private static final ClassValue<String> NAMES =
      new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
          return type.getSimpleName()
              .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
              .toUpperCase(Locale.ROOT);
        }
      };

  private OutcomeNames() {}

  static String of(Class<?> type) {
    return NAMES.get(type);
  }
}
