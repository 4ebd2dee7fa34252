package io.seckill.book.script;

import java.util.Locale;

/**
 * Makes each outcome's name once from the name of its record: {@code SoldOut} becomes {@code
 * SOLD_OUT}.
 */
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
