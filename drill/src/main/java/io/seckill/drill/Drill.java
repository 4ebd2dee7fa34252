package io.seckill.drill;

import io.seckill.drill.run.Campaign;
import io.seckill.drill.run.Options;
import java.util.Arrays;

/** The command {@code bin/drill}. */
public final class Drill {
  private Drill() {}

  /** Exit code 0: every invariant held; 1: a breach; 2: it could not run. */
  public static void main(String[] arguments) {
    int status;
    if (Arrays.asList(arguments).contains("--usage")) {
      System.out.println(Options.usage());
      return;
    }
    try {
      status = Campaign.run(Options.parse(arguments), System.out) ? 0 : 1;
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.err.println(Options.usage());
      status = 2;
    } catch (Exception e) {
      e.printStackTrace();
      status = 2;
    }
    System.exit(status);
  }
}
