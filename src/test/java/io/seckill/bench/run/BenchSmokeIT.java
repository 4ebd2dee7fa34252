package io.seckill.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.bench.report.BenchReport;
import io.seckill.bench.run.Measurement.Path;
import java.io.File;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short run of everything; that it works is judged, not how fast. */
class BenchSmokeIT {
  private static final Set<String> ALL = Set.of();

  @TempDir private java.nio.file.Path directory;

  @Test
  void shouldRunEveryContenderWithoutABreach() throws Exception {
    String tools = System.getProperty("java.class.path");
    String product =
        Stream.of(tools.split(File.pathSeparator))
            .filter(entry -> !entry.contains("test-classes"))
            .collect(Collectors.joining(File.pathSeparator));
    ProgressLine progress = new ProgressLine(System.out);
    try (Campaign campaign =
        Campaign.start(
            new Launch(
                Build.of(product),
                Optional.of(Build.of(product)),
                tools,
                List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"),
                directory),
            Plan.smoke(),
            EnumSet.of(
                Path.ACCEPTED,
                Path.SOLD_OUT,
                Path.RESULT,
                Path.END_TO_END,
                Path.OPEN_END_TO_END,
                Path.WAITING,
                Path.UNASKED),
            ALL,
            false,
            progress)) {
      campaign.run();

      BenchReport report =
          new BenchReport(
              Map.of(), campaign.measurements(), campaign.failures(), campaign.footprints());
      assertThat(report.breaches()).isEmpty();
      assertThat(campaign.failures()).isEmpty();
      assertThat(report.ratios()).allMatch(ratio -> ratio.median().isPresent());
      assertThat(report.cpuRatios().get("end_to_end_vs_before")).isPresent();
      assertThat(report.waitingRatios().values()).allMatch(OptionalDouble::isPresent);
      assertThat(campaign.measurements()).allMatch(measurement -> measurement.perSecond() > 0);
    }
  }
}
