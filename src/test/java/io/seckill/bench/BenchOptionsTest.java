package io.seckill.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seckill.bench.run.Measurement;
import io.seckill.bench.run.Plan;
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
  void shouldLetOnlyTheTwoBuildsTakePartWhenAlone() {
    BenchOptions options = BenchOptions.parse(List.of("--against", "/old", "--alone"));

    assertThat(options.against()).hasValue(Path.of("/old"));
    assertThat(options.contenders())
        .containsExactlyInAnyOrder("product", "product-front", "before", "before-front");
    assertThatThrownBy(() -> BenchOptions.parse(List.of("--alone")))
        .hasMessageContaining("--alone needs --against DIR");
  }

  @Test
  void shouldTakeANumberOfRounds() {
    assertThat(BenchOptions.parse(List.of("--rounds", "7")).rounds()).hasValue(7);
    assertThatThrownBy(() -> BenchOptions.parse(List.of("--rounds", "0")))
        .hasMessageContaining("--rounds takes whole numbers from 1, not 0");
    assertThatThrownBy(() -> BenchOptions.parse(List.of("--rounds", "many")))
        .hasMessageContaining("not many");
    assertThat(BenchOptions.parse(List.of("--products", "100,1")).products())
        .containsExactly(1, 100);
  }

  @Test
  void shouldMeasureAtARateOnlyWhenItIsToldOne() {
    assertThat(BenchOptions.parse(List.of()).rate()).isEmpty();
    assertThat(BenchOptions.parse(List.of("--rate", "600")).rate()).hasValue(600);
    assertThat(Plan.quick().rate()).isZero();
    assertThat(Plan.quick().at(600).over(List.of(1)).repeated(2).rate()).isEqualTo(600);
  }

  @Test
  void shouldRefuseWhatItDoesNotKnow() {
    assertThatThrownBy(() -> BenchOptions.parse(List.of("--fast")))
        .hasMessageContaining("unknown option --fast");
    assertThatThrownBy(() -> BenchOptions.parse(List.of("--json")))
        .hasMessageContaining("--json needs a value");
    assertThatThrownBy(() -> BenchOptions.parse(List.of("--only", "nothing")))
        .hasMessageContaining("no path nothing");
    assertThatThrownBy(() -> BenchOptions.parse(List.of("--contenders", "product,nobody")))
        .hasMessageContaining("no contender nobody");
    assertThatThrownBy(() -> BenchOptions.parse(List.of("--growth", "--against", "/old")))
        .hasMessageContaining("leave out --against");
  }
}
