package io.seckill.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.console.ConsoleConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The published contract names what the routes serve, no more and no less. */
class OpenApiTest {
  private static final Path CONTRACT = Path.of("src", "main", "resources", "openapi.yaml");
  private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

  private final Map<String, Object> contract = read();

  @Test
  void shouldNameThePathsAndMethodsOfTheRoutes() {
    Set<String> served =
        YamlRoutes.all().stream()
            .filter(route -> route.from().scheme().equals("platform-http"))
            .flatMap(
                route ->
                    Stream.of(route.from().options().get("httpMethodRestrict").split(","))
                        .map(method -> method + " " + route.from().options().get("path")))
            .collect(Collectors.toCollection(TreeSet::new));
    // a handler of the server: a route cannot stream an answer that goes on
    served.add("GET " + ConsoleConfiguration.PATH);
    Set<String> published = new TreeSet<>();
    map(contract.get("paths"))
        .forEach(
            (path, item) ->
                map(item).keySet().stream()
                    .filter(METHODS::contains)
                    .forEach(
                        method -> published.add(method.toUpperCase(Locale.ROOT) + " " + path)));
    assertThat(published).isEqualTo(served);
  }

  @Test
  void shouldDescribeEachOperationAndItsRefusals() {
    map(contract.get("paths"))
        .forEach(
            (path, item) ->
                map(item)
                    .forEach(
                        (method, operation) -> {
                          if (!METHODS.contains(method)) {
                            return;
                          }
                          Map<String, Object> described = map(operation);
                          assertThat(described).containsKeys("operationId", "summary", "responses");
                          if (path.startsWith("/admin")) {
                            assertThat(described.get("security"))
                                .isEqualTo(List.of(Map.of("adminToken", List.of())));
                            assertThat(map(described.get("responses"))).containsKey("401");
                            assertThat(described.get("x-role"))
                                .as("role of %s %s", method, path)
                                .isIn("view", "operate", "admin");
                            if (!described.get("x-role").equals("view")) {
                              assertThat(map(described.get("responses"))).containsKey("403");
                            }
                          }
                        }));
  }

  @Test
  void shouldResolveEveryReference() {
    assertThat(references(contract).distinct())
        .isNotEmpty()
        .allSatisfy(
            reference -> {
              Object found = contract;
              for (String name : reference.substring(2).split("/")) {
                found = map(found).get(name);
                assertThat(found).as(reference).isNotNull();
              }
            });
  }

  private static Stream<String> references(Object node) {
    if (node instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .flatMap(
              entry ->
                  entry.getKey().equals("$ref")
                      ? Stream.of((String) entry.getValue())
                      : references(entry.getValue()));
    }
    return node instanceof List<?> list
        ? list.stream().flatMap(OpenApiTest::references)
        : Stream.empty();
  }

  private static Map<String, Object> read() {
    try {
      return map(
          new Load(LoadSettings.builder().build()).loadFromString(Files.readString(CONTRACT)));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object node) {
    return (Map<String, Object>) node;
  }
}
