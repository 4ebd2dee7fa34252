package io.seckill.bench.run;

import io.seckill.bench.baseline.Baseline;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** Prints the progress to the terminal. */
public final class ProgressLine {
  private final PrintStream out;
  private final long start = System.nanoTime();
  private int steps = 1;
  private int done;

  public ProgressLine(PrintStream out) {
    this.out = out;
  }

  /**
   * @param expected number of calls of {@link #step} to come
   */
  void expect(int expected) {
    steps = Math.max(1, expected);
  }

  public void say(String message) {
    Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
    out.printf(
        Locale.ROOT,
        "%2d:%02d  %3d %%  %s%n",
        elapsed.toMinutes(),
        elapsed.toSecondsPart(),
        Math.min(100, 100 * done / steps),
        message);
  }

  void step(Measurement measured) {
    done++;
    say(
        String.format(
            Locale.ROOT,
            "%-16s %4d product%s  round %d  %-14s %,10.0f/s%s",
            measured.path().label(),
            measured.products(),
            measured.products() == 1 ? " " : "s",
            measured.round(),
            measured.contender(),
            measured.perSecond(),
            remark(measured)));
  }

  private static String remark(Measurement measured) {
    if (measured.breaches().isEmpty()) {
      return "";
    }
    return measured.contender().equals(Baseline.NAIVE)
        ? "  oversold, as it does"
        : "  BREACH " + measured.breaches();
  }

  void skip() {
    done++;
  }
}
