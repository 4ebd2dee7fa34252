package io.seckill.drill.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seckill.drill.fault.Faults;
import io.seckill.drill.lab.Application;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlantedBugsTest {
  static List<Planted> bugs() {
    return PlantedBugs.all();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bugs")
  void shouldFitTheApplicationAsItIs(Planted bug, @TempDir Path folder) throws Exception {
    bug.write(Application.ownClasses(), folder);

    for (Edit edit : bug.edits()) {
      assertThat(textBelow(folder.resolve(edit.place()))).contains(edit.to());
    }
    assertThat(bug.routes(Application.ownClasses(), folder).values())
        .allSatisfy(pattern -> assertThat(pattern).startsWith("file:" + folder + "/routes/"));
    assertThat(bug.edits().size() + bug.before().size()).isPositive();
    assertThat(bug.breaks().isEmpty()).isEqualTo(bug.test() != null);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bugs")
  void shouldBeBroughtToLightByAKnownFaultOrTest(Planted bug) throws Exception {
    if (bug.test() == null) {
      assertThat(Faults.all()).containsKey(bug.fault());
      return;
    }
    String[] test = bug.test().split("#");
    Class<?> holder = Class.forName(test[0], false, getClass().getClassLoader());
    assertThat(holder.getDeclaredMethods()).extracting(Method::getName).contains(test[1]);
  }

  @Test
  void shouldSayWhichBugNoLongerFitsTheApplication(@TempDir Path folder) {
    Planted outdated =
        Planted.drilled(
            "outdated",
            "",
            "none",
            "A",
            Map.of(),
            List.of(new Edit("routes", "id: no-such-node", "")),
            List.of(),
            List.of(),
            Set.of());

    assertThatThrownBy(() -> outdated.write(Application.ownClasses(), folder))
        .hasMessageContaining("The planted bug outdated no longer fits the application")
        .hasMessageContaining("id: no-such-node");
  }

  private static String textBelow(Path place) throws IOException {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> tree = Files.walk(place)) {
      for (Path file : tree.filter(Files::isRegularFile).toList()) {
        text.append(Files.readString(file));
      }
    }
    return text.toString();
  }

  @Test
  void shouldHaveNamesOfTheirOwn() {
    assertThat(bugs()).extracting(Planted::name).doesNotHaveDuplicates();
  }
}
