package io.seckill.drill.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A short soak: a few faults of each kind, and every planted bug. {@code bin/drill} goes on for
 * longer.
 */
@EnabledIfSystemProperty(
    named = "seckill.drill",
    matches = "true",
    disabledReason = "drills take about 20 minutes: mvn verify -Dseckill.drill=true")
class DrillIT {
  private static final String FAULTS =
      "app-kill,second-node,halt-confirm-orders-before,redis-kill,redis-half-open,kafka-kill,"
          + "mysql-kill,mysql-cut-after-commit,mysql-refuses";

  @Test
  void shouldKeepEveryInvariantWhateverBreaks() throws Exception {
    assertThat(drill("soak", "--fault", FAULTS, "--runs", "9")).isEmpty();
  }

  @Test
  void shouldCatchEveryPlantedBug() throws Exception {
    assertThat(drill("planted", "--runs", "0", "--controls")).isEmpty();
  }

  /** What went wrong, with the drill's output; empty when all is well. */
  private static String drill(String name, String... arguments) throws Exception {
    Path folder = Files.createDirectories(Path.of("target", "drill-it", name));
    String[] all = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    all[0] = "--out";
    all[1] = folder.toString();
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    boolean good;
    try (PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8)) {
      good = Campaign.run(Options.parse(all), out);
    }
    return good ? "" : output.toString(StandardCharsets.UTF_8);
  }
}
