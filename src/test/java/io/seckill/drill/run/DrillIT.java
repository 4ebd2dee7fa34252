package io.seckill.drill.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A short soak; all faults and every planted bug take longer and are asked for. */
class DrillIT {
  /** Of each kind one that does not mind a slow machine. */
  private static final String FAULTS =
      "app-kill,redis-kill,kafka-kill,mysql-cut-after-commit,messages-ten-times,dead-letters-first";

  private static final String BUGS = "no-unique-key,confirm-skipped,offset-first";

  @Test
  void shouldKeepEveryInvariantAndCatchPlantedBugs() throws Exception {
    assertThat(drill("short", "--fault", FAULTS, "--control", BUGS)).isEmpty();
  }

  @Test
  @EnabledIfSystemProperty(
      named = "seckill.drill",
      matches = "true",
      disabledReason = "every fault and every planted bug: mvn verify -Dseckill.drill=true")
  void shouldKeepEveryInvariantWhateverBreaksAndCatchEveryPlantedBug() throws Exception {
    assertThat(drill("long", "--controls")).isEmpty();
  }

  /** What went wrong, with the drill's output; empty when all is well. */
  private static String drill(String name, String... arguments) throws Exception {
    Path folder = Files.createDirectories(Path.of("target", "drill-it", name));
    List<String> all = new ArrayList<>(List.of("--lanes", "2", "--out", folder.toString()));
    all.addAll(List.of(arguments));
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    boolean good;
    try (PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8)) {
      good = Campaign.run(Options.parse(all.toArray(String[]::new)), out);
    }
    return good ? "" : output.toString(StandardCharsets.UTF_8);
  }
}
