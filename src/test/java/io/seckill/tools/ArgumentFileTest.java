package io.seckill.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArgumentFileTest {
  @TempDir private Path directory;

  @Test
  void shouldGiveAJvmWhatNobodyElseMayRead() throws Exception {
    String value = "a \"quoted\" pass\\word # with 'all'";
    Path file = directory.resolve("with space.arguments");

    String argument =
        ArgumentFile.write(
            file, List.of("-Dsome.secret=" + value, "-XshowSettings:properties", "-version"));

    assertThat(argument).doesNotContain("pass");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), argument)
            .redirectErrorStream(true)
            .start();
    assertThat(new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("some.secret = " + value);
    assertThat(java.waitFor()).isZero();
  }
}
