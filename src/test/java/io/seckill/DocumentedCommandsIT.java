package io.seckill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.seckill.embedded.Ports;
import io.seckill.testing.ApplicationProcess;
import io.seckill.testing.Checkout;
import io.seckill.testing.DocumentedCommands;
import io.seckill.testing.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of {@link DocumentedCommands#RUN}, typed in a copy of the checkout as the documents
 * show them, one after another. Nothing is added but a port in the place of one that may be taken.
 */
class DocumentedCommandsIT {
  private static final int PROMETHEUS_PORT = 9090;

  @TempDir private static Path directory;

  private static Checkout checkout;

  @BeforeAll
  static void checkOut() throws IOException {
    checkout = Checkout.in(directory.resolve("checkout"));
  }

  @TestFactory
  Stream<DynamicTest> shouldDoWhatTheDocumentsSay() {
    return DocumentedCommands.RUN.stream()
        .map(command -> DynamicTest.dynamicTest(command, () -> type(command)));
  }

  /** Maven takes the JDK of JAVA_HOME; what it has compiled is run by no other. */
  @Test
  void shouldRunOnTheJdkThatMavenTakesAndWhereverTheShellLooksForFolders() throws Exception {
    Path other = Files.createDirectories(directory.resolve("other/bin/older"));
    Path java =
        Files.writeString(other.resolve("java"), "#!/bin/sh\necho an older Java >&2; exit 1");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    Shell shell =
        shell()
            .environment("JAVA_HOME", System.getProperty("java.home"))
            .environment("PATH", other + ":" + System.getenv("PATH"))
            .environment("CDPATH", directory.resolve("other").toString());
    for (String command : List.of("bin/drill --list", "bin/bench --help")) {
      Shell.Result result = shell.runWithErrors(List.of(command));
      assertThat(result.exitCode()).as(result.printed()).isZero();
      assertPrints(result.printed(), expected(command));
    }
  }

  private static void type(String command) throws Exception {
    switch (command.split(" ")[0]) {
      case "bin/hawtio" -> serves(command, Ports.free(), "/hawtio/", "<title>");
      case "prometheus" -> {
        assumeInstalled("prometheus");
        assumeThat(ApplicationProcess.listens(PROMETHEUS_PORT))
            .as("Something else has Prometheus's port")
            .isFalse();
        serves(command, PROMETHEUS_PORT, "/api/v1/rules", "\"status\":\"success\"");
      }
      default -> assertPrints(printed(command), expected(command));
    }
    leaves(command);
  }

  private static void assumeInstalled(String program) throws Exception {
    assumeThat(shell().run(List.of("command -v " + program)).exitCode())
        .as("%s is not installed here", program)
        .isZero();
  }

  private static Shell shell() {
    return new Shell(checkout.directory());
  }

  private static String printed(String command) throws Exception {
    Shell.Result result = shell().runWithErrors(List.of(command));
    assertThat(result.exitCode()).as(result.printed()).isZero();
    return result.printed();
  }

  private static void assertPrints(String printed, List<String> expected) {
    assertThat(expected).allSatisfy(text -> assertThat(printed).contains(text));
  }

  private static List<String> expected(String command) {
    if (command.startsWith("bin/bench --help")) {
      return List.of("--contenders", "Exit code 1");
    } else if (command.startsWith("bin/drill --list")) {
      return List.of("redis-kill", "redis-older-copy");
    } else if (command.startsWith("bin/drill")) {
      return List.of("1 runs over 1 faults", " 0 breaches");
    } else if (command.startsWith("bin/bench")) {
      return List.of("accepted", "product-front");
    }
    return List.of(); // with -q Maven is silent when all is well
  }

  /** What a command made, where it is to make something. */
  private static void leaves(String command) {
    if (command.contains("-Dit.test=LedgerIT")) {
      assertReported("failsafe-reports/io.seckill.recovery.LedgerIT.txt");
    }
    if (command.contains("-Dtest=PurchaseReaderTest")) {
      assertReported("surefire-reports/io.seckill.api.PurchaseReaderTest.txt");
    }
    if (command.contains("docs.update")) {
      assertThat(checkout.directory().resolve("docs/PROPERTIES.md"))
          .hasSameTextualContentAs(Path.of("docs/PROPERTIES.md"));
    }
    if (command.startsWith("bin/bench --quick")) {
      assertThat(checkout.directory().resolve("target/bench/report.md")).isNotEmptyFile();
    }
    if (command.startsWith("bin/drill --fault")) {
      assertThat(checkout.directory().resolve("target/drill/index.html")).isNotEmptyFile();
    }
  }

  private static void assertReported(String report) {
    Path file = checkout.directory().resolve("target").resolve(report);
    assertThat(file).content().contains("Failures: 0, Errors: 0, Skipped: 0");
    assertThat(file).content().doesNotContain("Tests run: 0");
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Starts a server as it is typed, asks it until it answers, and ends it. */
  private static void serves(String command, int port, String path, String text) throws Exception {
    Shell.Result result =
        shell()
            .environment("PORT", Integer.toString(port))
            .run(
                List.of(
                    command + " > server.log 2>&1 &",
                    "server=$!",
                    "for i in {1..200}; do",
                    "  answer=$(curl -sSf localhost:" + port + path + " 2>&1) && break",
                    "  kill -0 $server || break",
                    "  sleep 0.5",
                    "done",
                    "kill $server",
                    "echo \"$answer\"",
                    "cat server.log"));
    assertThat(result.printed()).contains(text);
  }
}
