package io.seckill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.seckill.bench.BenchOptions;
import io.seckill.drill.run.Options;
import io.seckill.testing.Document;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The commands of benchmark and drill, as the documents show them, are understood. */
class DocumentedOptionsTest {
  @Test
  void shouldUnderstandTheCommandsOfTheBenchmark() {
    List<String> commands = commands("bin/bench");
    assertThat(commands).hasSizeGreaterThan(4);
    assertThat(commands)
        .filteredOn(command -> !command.contains("--help"))
        .allSatisfy(
            command ->
                assertThatCode(() -> BenchOptions.parse(words(command)))
                    .as(command)
                    .doesNotThrowAnyException());
  }

  @Test
  void shouldUnderstandTheCommandsOfTheDrill() {
    List<String> commands = commands("bin/drill");
    assertThat(commands).hasSizeGreaterThan(5);
    assertThat(commands)
        .allSatisfy(
            command ->
                assertThatCode(() -> Options.parse(words(command).toArray(String[]::new)))
                    .as(command)
                    .doesNotThrowAnyException());
  }

  @Test
  void shouldEndAProcessWithoutMemoryHoweverItIsStarted() throws IOException {
    String option = "-XX:+ExitOnOutOfMemoryError";
    // mvn compile camel:run runs the application in Maven's own process
    assertThat(Files.readString(Path.of(".mvn/jvm.config"))).contains(option);
    List<String> starts =
        Stream.of("README.md", "docs/DEPLOYING.md", "docs/MINIMAL.md", "docs/EXTENDING.md")
            .flatMap(page -> Document.of(page).commands("java").stream())
            .filter(command -> command.contains(" -jar "))
            .toList();
    assertThat(starts).isNotEmpty().allSatisfy(start -> assertThat(start).contains(option));
  }

  private static List<String> commands(String program) {
    return Stream.of("README.md", "CONTRIBUTING.md", "bench/README.md", "drill/README.md")
        .flatMap(page -> Document.of(page).commands(program).stream())
        .toList();
  }

  /** What bash passes on: the words before a comment. */
  private static List<String> words(String command) {
    String[] words = command.replaceAll(" #.*", "").strip().split(" +");
    return Arrays.asList(words).subList(1, words.length);
  }
}
