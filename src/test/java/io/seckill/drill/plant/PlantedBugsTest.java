package io.seckill.drill.plant;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.drill.fault.Faults;
import io.seckill.drill.lab.Application;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
      assertThat(Files.readString(folder.resolve(edit.file()))).contains(edit.to());
    }
    assertThat(bug.edits().size() + bug.before().size()).isPositive();
    assertThat(bug.breaks()).isNotEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bugs")
  void shouldBeBroughtToLightByAKnownFault(Planted bug) {
    assertThat(Faults.all()).containsKey(bug.fault());
  }

  @Test
  void shouldHaveNamesOfTheirOwn() {
    assertThat(bugs()).extracting(Planted::name).doesNotHaveDuplicates();
  }
}
