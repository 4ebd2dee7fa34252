package io.seckill.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seckill.bench.run.Measurement;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchOptionsTest {
  @Test
  void shouldMeasureEverythingThoroughlyByDefault() {
    BenchOptions options = BenchOptions.parse(List.of());

    assertThat(options.quick()).isFalse();
    assertThat(options.paths()).containsExactly(Measurement.Path.values());
    assertThat(options.json()).isEqualTo(Path.of("target/bench/bench.json").toAbsolutePath());
  }

  @Test
  void shouldTakeWhatItIsTold() {
    BenchOptions options =
        BenchOptions.parse(
            List.of("--quick", "--json", "/tmp/x.json", "--only", "accepted,end-to-end"));

    assertThat(options.quick()).isTrue();
    assertThat(options.json()).isEqualTo(Path.of("/tmp/x.json"));
    assertThat(options.paths())
        .containsExactly(Measurement.Path.ACCEPTED, Measurement.Path.END_TO_END);
  }

  @Test
  void shouldRefuseWhatItDoesNotKnow() {
    assertThatThrownBy(() -> BenchOptions.parse(List.of("--fast")))
        .hasMessageContaining("unknown option --fast");
    assertThatThrownBy(() -> BenchOptions.parse(List.of("--json")))
        .hasMessageContaining("--json needs a value");
    assertThatThrownBy(() -> BenchOptions.parse(List.of("--only", "nothing")))
        .hasMessageContaining("no path nothing");
  }
}
