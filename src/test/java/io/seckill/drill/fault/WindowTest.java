package io.seckill.drill.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.drill.lab.Application;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class WindowTest {
  @ParameterizedTest
  @EnumSource
  void shouldBeDrilledByAPointOrAFault(Window window) {
    assertThat(window.points().size() + window.faults().size()).isPositive();
    assertThat(Faults.all().keySet()).containsAll(window.faults());
    assertThat(Faults.all().keySet())
        .containsAll(window.points().stream().map(Faults::crashAt).toList());
  }

  @ParameterizedTest
  @EnumSource
  void shouldHaveItsPointsAtNodesThatExist(Window window) throws IOException {
    Set<String> nodes = nodes();
    for (String point : window.points()) {
      assertThat(point).matches("[a-z-]+/[a-z-]+:(before|after)");
      assertThat(nodes).contains(point.substring(0, point.indexOf(':')));
    }
  }

  @Test
  void shouldCoverEveryCrashWindowOfTheDesign() {
    assertThat(Stream.of(Window.values()).map(Window::between))
        .contains(
            "script done, reply lost",
            "script done, Kafka not reached",
            "Kafka acked, entry not acked",
            "relay dies or hangs holding entries",
            "hung relay wakes after a rebuild",
            "Kafka rebalance, zombie consumer",
            "COMMIT's outcome unknown",
            "database committed, confirm.lua not run",
            "dead letter not written, offset committed",
            "tombstone written, release.lua not run",
            "late message after compensation",
            "Redis loses what Kafka already has",
            "Redis loses what Kafka has not");
  }

  /** {@code route-id/node-id} of every node of every route. */
  private static Set<String> nodes() throws IOException {
    Set<String> nodes = new HashSet<>();
    try (Stream<Path> files = Files.walk(Application.ownClasses().resolve("routes"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Object content =
            new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
        for (Object element : (List<?>) content) {
          if (((Map<?, ?>) element).get("route") instanceof Map<?, ?> route) {
            collect(String.valueOf(route.get("id")), route, nodes);
          }
        }
      }
    }
    return nodes;
  }

  private static void collect(String route, Object part, Set<String> nodes) {
    if (part instanceof Map<?, ?> map) {
      if (map.get("id") instanceof String id) {
        nodes.add(route + "/" + id);
      }
      map.values().forEach(value -> collect(route, value, nodes));
    } else if (part instanceof List<?> list) {
      list.forEach(value -> collect(route, value, nodes));
    }
  }
}
