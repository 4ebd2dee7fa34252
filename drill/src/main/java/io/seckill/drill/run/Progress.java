package io.seckill.drill.run;

import java.io.PrintStream;
import java.util.Locale;

/** Prints the progress. The lines of one call stay together. */
final class Progress {
  private final PrintStream out;

  Progress(PrintStream out) {
    this.out = out;
  }

  /** One line, as {@link String#format} makes it. */
  void line(String format, Object... arguments) {
    lines(String.format(Locale.ROOT, format, arguments));
  }

  synchronized void lines(String text) {
    out.println(text);
    out.flush();
  }
}
