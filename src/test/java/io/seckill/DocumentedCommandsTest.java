package io.seckill;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.testing.DocumentedCommands;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every command that a document shows is run by a test, or is left out for a reason. */
class DocumentedCommandsTest {
  @Test
  void shouldSayOfEachCommandWhereItIsTried() throws Exception {
    Set<String> accounted = new TreeSet<>(DocumentedCommands.RUN);
    accounted.addAll(DocumentedCommands.NOT_RUN.keySet());
    Set<String> shown = DocumentedCommands.typed();
    shown.removeIf(DocumentedCommands::isRunElsewhere);
    assertThat(shown).hasSizeGreaterThan(20).isEqualTo(accounted);
  }

  @Test
  void shouldNameTestsThatAreThereAndCommandsThatAreShown() throws Exception {
    Set<String> shown = DocumentedCommands.typed();
    DocumentedCommands.RUN_ELSEWHERE.forEach(
        (test, beginnings) -> {
          assertThat(Path.of("src/test/java/io/seckill", test + ".java")).exists();
          assertThat(beginnings)
              .allSatisfy(
                  beginning ->
                      assertThat(shown).anyMatch(command -> command.startsWith(beginning)));
        });
  }
}
