package io.seckill.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShellTest {
  @TempDir private Path directory;

  @Test
  void shouldTellWhatWasPrinted() throws Exception {
    Shell shell = new Shell(directory).environment("WORD", "hello");
    List<String> lines = List.of("echo $WORD", "echo aside >&2", "exit 3");
    assertThat(shell.run(lines)).isEqualTo(new Shell.Result(3, "hello"));
    assertThat(shell.runWithErrors(lines)).isEqualTo(new Shell.Result(3, "hello\naside"));
  }

  @Test
  void shouldKillWhatTakesTooLongWithAllThatItStarted() {
    String mark = "739" + ProcessHandle.current().pid();
    Shell shell = new Shell(directory).limit(Duration.ofSeconds(1));
    assertThatThrownBy(
            () -> shell.run(List.of("echo begun", "bash -c 'sleep " + mark + "; true'", "true")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("longer than 1 s")
        .hasMessageEndingWith("begun");
    assertThat(
            ProcessHandle.allProcesses()
                .filter(ProcessHandle::isAlive)
                .filter(process -> process.info().commandLine().orElse("").endsWith(" " + mark)))
        .isEmpty();
  }

  @Test
  void shouldNotWaitForAProcessThatIsLeftBehind() throws Exception {
    Shell shell = new Shell(directory);
    Shell.Result result = shell.run(List.of("sleep 600 & echo $!"));
    ProcessHandle left = ProcessHandle.of(Long.parseLong(result.printed())).orElseThrow();
    assertThat(left.isAlive()).isTrue();
    left.destroyForcibly();
  }
}
