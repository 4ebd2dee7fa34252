package io.seckill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.testing.ApplicationProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Live reload, on a copy of the routes. */
class DevelopmentProfileIT {
  private static final Path ROUTES = Path.of("src", "main", "routes");

  @TempDir private Path workingTree;

  @Test
  void shouldTakeUpRoutesThatAreSavedWhileItRuns() throws Exception {
    Path routes = copyOfRoutes();
    try (ApplicationProcess application = start("full")) {
      save(routes, "first");
      awaitOutput(application, "said the first");

      saveAgain(routes.resolve("minimal/minimal-order-api.camel.yaml"));
      save(routes, "second");
      awaitOutput(application, "said the second");

      saveAgain(routes.resolve("common/order-writer-batch.camel.yaml"));
      awaitOutput(application, "Started order-writer-batch (direct://write-batch) (source");
      saveAgain(routes.resolve("common/errors.camel.yaml"));
      saveAgain(routes.resolve("full/result-api.camel.yaml"));
      awaitOutput(application, "Started result-api (platform-http:///seckill/result) (source");
      assertThat(application.shop().get("/seckill/result?requestId=1-1-0123456789abcdef", 1).code())
          .isEqualTo("UNKNOWN_REQUEST");
      assertThat(application.output()).doesNotContain("Error reloading routes", "minimal-");
    }
  }

  @Test
  void shouldLeaveOutTheRoutesOfFullModeInMinimalMode() throws Exception {
    Path routes = copyOfRoutes();
    try (ApplicationProcess application = start("minimal")) {
      saveAgain(routes.resolve("full/result-api.camel.yaml"));
      saveAgain(routes.resolve("minimal/minimal-result-api.camel.yaml"));
      awaitOutput(
          application, "Started minimal-result-api (platform-http:///seckill/result) (source");

      assertThat(application.shop().get("/seckill/result?requestId=1-1-0123456789abcdef", 1).code())
          .isEqualTo("UNKNOWN_REQUEST");
      assertThat(application.output())
          .doesNotContain("Error reloading routes", "Started result-api (");
    }
  }

  private Path copyOfRoutes() throws IOException {
    try (Stream<Path> tree = Files.walk(ROUTES)) {
      for (Path path : tree.toList()) {
        Path copy = workingTree.resolve(path);
        if (Files.isDirectory(path)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(path, copy);
        }
      }
    }
    return workingTree.resolve(ROUTES);
  }

  private ApplicationProcess start(String mode) {
    return ApplicationProcess.external(
            workingTree, Map.of("camel.main.profile", "dev", "seckill.mode", mode))
        .workingDirectory(workingTree)
        .start();
  }

  private void saveAgain(Path file) throws IOException {
    replace(file, Files.readString(file) + "# saved again\n");
  }

  /** In one step, as editors do: a reload must not find a file that is half written. */
  private void replace(Path file, String text) throws IOException {
    Path written = Files.writeString(workingTree.resolve("written"), text);
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private void save(Path routes, String text) throws IOException {
    replace(
        routes.resolve("common/greeting.camel.yaml"),
        """
        - route:
            id: greeting
            from:
              uri: timer:greeting
              parameters:
                delay: 0
                repeatCount: 1
              steps:
                - log: said the %1$s
        - route:
            id: greeting-more
            from:
              uri: direct:%1$s
              steps:
                - stop: {}
        """
            .formatted(text));
  }

  private static void awaitOutput(ApplicationProcess application, String text) {
    await(text).atMost(60, TimeUnit.SECONDS).until(() -> application.output().contains(text));
  }
}
