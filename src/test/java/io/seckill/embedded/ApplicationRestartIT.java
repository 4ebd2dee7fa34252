package io.seckill.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.testing.ApplicationProcess;
import io.seckill.testing.Products;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The application with embedded servers in a process of its own. */
class ApplicationRestartIT {
  private static final Path DIRECTORY = Path.of("target", "application-restart-it");

  /** Longer than anything here waits: whoever waited for the dead node's consumers would fail. */
  private static final Map<String, String> LONG_SESSION =
      Map.of("seckill.kafka.session-timeout", "600000");

  @Test
  void shouldFindEverythingAgainAfterKillMinusNine() throws Exception {
    try (ApplicationProcess application = ApplicationProcess.embedded(DIRECTORY, LONG_SESSION)) {
      application.start();
      long product = Products.next();
      application.awaitReady().shop().openSale(product, 10);
      assertThat(application.shop().buy(product, 1).status()).isEqualTo(202);
      Properties first = application.addresses();
      assertThat(first.stringPropertyNames())
          .containsExactlyInAnyOrder(
              "seckill.redis.uri",
              "seckill.kafka.brokers",
              "seckill.kafka.security-protocol",
              "seckill.kafka.sasl-mechanism",
              "seckill.kafka.sasl-jaas-config",
              "seckill.mysql.url",
              "seckill.mysql.user",
              "seckill.mysql.password",
              "seckill.admin.token");
      String token = first.getProperty("seckill.admin.token");
      await("the banner")
          .atMost(30, TimeUnit.SECONDS)
          .until(() -> application.output().contains(token + ", in "));
      String text = UUID.randomUUID().toString();
      new Keepsake(first).leave(text);
      List<Long> servers = serverProcesses();
      assertThat(servers).hasSize(2);
      shouldKeepItsPasswordsToItself(application);

      application.kill();
      assertThat(serverProcesses()).as("left behind").containsExactlyInAnyOrderElementsOf(servers);
      application.start();

      assertThat(serverProcesses()).as("go on").containsExactlyInAnyOrderElementsOf(servers);
      assertThat(application.awaitReady().shop().buyOnceOpen(product, 2, "k").status())
          .isEqualTo(202);
      assertThat(new Keepsake(application.addresses()).find()).containsExactly(text, text, text);
      assertThat(application.addresses().getProperty("seckill.admin.token")).isEqualTo(token);

      shouldRefuseASecondApplication();

      application.terminate();
      assertThat(serverProcesses()).as("ended in good order").isEmpty();
    }
  }

  @Test
  void shouldReplaceServersThatItWouldStartOtherwise() throws Exception {
    List<Long> servers;
    try (ApplicationProcess application = ApplicationProcess.embedded(DIRECTORY, Map.of())) {
      application.start();
      servers = serverProcesses();
      application.kill();
    }
    Path settings = DIRECTORY.resolve("data/redis/started");
    Files.writeString(
        settings, Files.readString(settings).replaceAll("\n.*", "\nof another start"));
    String port = Integer.toString(Ports.free());
    try (ApplicationProcess application =
        ApplicationProcess.embedded(DIRECTORY, Map.of("seckill.embedded.mysql-port", port))) {
      application.start();

      assertThat(serverProcesses()).hasSize(2).doesNotContainAnyElementsOf(servers);
      assertThat(application.addresses().getProperty("seckill.mysql.url")).contains(":" + port);
      application.terminate();
    }
  }

  private static void shouldKeepItsPasswordsToItself(ApplicationProcess application)
      throws IOException {
    List<String> passwords = passwords();
    assertThat(passwords).hasSize(3).doesNotHaveDuplicates();
    Path data = application.addressFile().getParent();
    assertThat(permissions(data)).isEqualTo("rwx------");
    try (Stream<Path> files = Files.walk(data, 2)) {
      assertThat(files.filter(Files::isRegularFile).filter(file -> holds(file, passwords)))
          .contains(application.addressFile())
          .hasSizeGreaterThan(3)
          .allSatisfy(file -> assertThat(permissions(file)).as("%s", file).isEqualTo("rw-------"));
    }
    assertThat(application.output()).doesNotContain(passwords);
    List<Long> processes = new ArrayList<>(serverProcesses());
    processes.add(application.pid());
    for (long process : processes) {
      assertThat(Files.readString(Path.of("/proc", Long.toString(process), "cmdline")))
          .doesNotContain(passwords);
    }
  }

  private static List<String> passwords() throws IOException {
    List<String> passwords = new ArrayList<>();
    for (String server : List.of("redis", "kafka", "mariadb")) {
      passwords.add(
          Files.readString(DIRECTORY.resolve("data").resolve(server).resolve("password")).strip());
    }
    return passwords;
  }

  private static boolean holds(Path file, List<String> passwords) {
    try {
      String content = Files.readString(file, StandardCharsets.ISO_8859_1);
      return passwords.stream().anyMatch(content::contains);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void shouldRefuseASecondApplication() {
    try (ApplicationProcess second =
        ApplicationProcess.embedded(
            DIRECTORY.resolve("second"),
            Map.of("seckill.data-dir", DIRECTORY.resolve("data").toString()))) {
      second.launch();
      assertThat(second.awaitExit()).isEqualTo(1);
      assertThat(errors(second)).hasSize(1);
      assertThat(errors(second).get(0)).contains("Another application runs on the data directory");
    }
  }

  @Test
  void shouldStopItsServersWhenTheRoutesCannotStart() {
    try (ApplicationProcess application =
        ApplicationProcess.embedded(
            DIRECTORY,
            Map.of("camel.main.routesIncludePattern", "classpath:routes/nowhere.yaml"))) {
      application.launch();

      assertThat(application.awaitExit()).isEqualTo(1);
      assertThat(application.output()).contains("MariaDB is up", "The application cannot start");
      assertThat(serverProcesses()).isEmpty();
    }
  }

  @Test
  void shouldRefuseAddressesThatEmbeddedServersWouldIgnore() {
    assertRefused(
        Map.of("seckill.redis.uri", "redis://elsewhere:6379"),
        "seckill.redis.uri is set: remove it, or set seckill.backends=external");
  }

  @Test
  void shouldRefuseAnAdministrationWithoutAPortOfItsOwn() {
    assertRefused(
        Map.of("seckill.admin.host", "127.0.0.1"), "needs a port: set seckill.admin.port");
    int port = Ports.free();
    assertRefused(
        Map.of(
            "seckill.admin.port",
            Integer.toString(port),
            "seckill.http.port",
            Integer.toString(port)),
        "seckill.admin.port is taken by another part");
  }

  @Test
  void shouldRefuseAnUnknownKindOfBackends() {
    assertRefused(Map.of("seckill.backends", "some"), "must be embedded or external, not 'some'");
  }

  private static void assertRefused(Map<String, String> overrides, String reason) {
    try (ApplicationProcess application =
        ApplicationProcess.embedded(DIRECTORY.resolve("refused"), overrides)) {
      application.launch();
      assertThat(application.awaitExit()).isEqualTo(1);
      assertThat(errors(application)).hasSize(1);
      assertThat(errors(application).get(0)).contains(reason);
    }
  }

  private static List<String> errors(ApplicationProcess application) {
    return application.output().lines().filter(line -> line.contains(" ERROR ")).toList();
  }

  private static List<Long> serverProcesses() {
    Path data = DIRECTORY.resolve("data").toAbsolutePath();
    return ProcessHandle.allProcesses()
        .filter(
            handle ->
                handle
                    .info()
                    .command()
                    .filter(command -> Path.of(command).startsWith(data))
                    .isPresent())
        .map(ProcessHandle::pid)
        .toList();
  }
}
