package io.seckill.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AttentionTest {
  private static final Path OPERATIONS = Path.of("docs", "OPERATIONS.md");

  @ParameterizedTest
  @EnumSource
  void shouldBeExplainedInASectionThatIsThere(Attention code) throws IOException {
    Set<String> sections;
    try (var lines = Files.lines(OPERATIONS)) {
      sections =
          lines
              .filter(line -> line.startsWith("## "))
              .map(line -> line.substring(3).toLowerCase(Locale.ROOT).replace(' ', '-'))
              .collect(Collectors.toSet());
    }
    assertThat(sections).contains(code.section());
    assertThat(Files.readString(OPERATIONS)).contains("`" + code + "`");
  }
}
