package io.seckill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.seckill.embedded.Ports;
import io.seckill.testing.ApplicationProcess;
import io.seckill.testing.Checkout;
import io.seckill.testing.Copies;
import io.seckill.testing.Health;
import io.seckill.testing.Shop;
import io.seckill.testing.SmallDisk;
import io.seckill.testing.TestServers;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The application on machines that are set up otherwise than a developer's. Environments that do
 * not hide each other share a start. What this machine cannot be, such as without root, is skipped.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EnvironmentsIT {
  private static final long PRODUCT = 1001;
  private static final int LIMIT_SECONDS = 120;
  private static final String[] NOBODY = {
    "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"
  };

  /** Shared by the tests that start it by Maven: what one has compiled the next need not. */
  @TempDir private static Path folder;

  private static Checkout checkout;

  private final List<AutoCloseable> opened = new ArrayList<>();

  @BeforeAll
  static void checkOut() throws IOException {
    checkout = Checkout.in(folder.resolve("with spaces, a comma, it's \"quoted\", $HOME 秒杀"));
  }

  @AfterEach
  void close() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  private <T extends AutoCloseable> T opened(T closeable) {
    opened.add(closeable);
    return closeable;
  }

  @Test
  @Order(1)
  void shouldSellFromAnOddFolderInArabicWithIpv6PreferredAndPortsTaken() throws Exception {
    for (int preferred : new int[] {16379, 19092, 13306}) {
      take(preferred);
    }
    ApplicationProcess application =
        opened(ApplicationProcess.camelRun(checkout))
            .environment(
                "MAVEN_OPTS",
                "-Duser.language=ar -Duser.country=EG -Djava.net.preferIPv6Addresses=true");

    application.start().awaitReady();

    assertSells(application, 7);
    assertThat(application.addresses().values().toString())
        .doesNotContain(":16379", ":19092", ":13306");
    assertRefused(
        opened(application.again()),
        "Cannot listen on 127.0.0.1:" + application.baseUrl().replaceAll(".*:", ""));
    assertRefused(
        opened(ApplicationProcess.camelRun(checkout)),
        "Another application runs on the data directory " + checkout.directory().toRealPath());
    application.terminate();
  }

  private void take(int port) throws IOException {
    try {
      opened(new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1")));
    } catch (BindException taken) {
      assertThat(Ports.isFree(port)).isFalse();
    }
  }

  @Test
  @Order(2)
  void shouldSellOnALaterJdkInPersian() throws Exception {
    Optional<Path> later = laterJdk();
    assumeTrue(later.isPresent(), "There is no JDK 25 or later under /usr/lib/jvm.");
    ApplicationProcess application =
        opened(ApplicationProcess.camelRun(checkout, "-Dseckill.strategy=B"))
            .environment("JAVA_HOME", later.get().toString())
            .environment("MAVEN_OPTS", "-Duser.language=fa -Duser.country=IR");

    application.start().awaitReady();

    assertSells(application, 8);
    application.terminate();
  }

  private static Optional<Path> laterJdk() throws IOException {
    Path installed = Path.of("/usr/lib/jvm");
    if (!Files.isDirectory(installed)) {
      return Optional.empty();
    }
    try (Stream<Path> jdks = Files.list(installed)) {
      return jdks.filter(jdk -> jdk.getFileName().toString().matches(".*-(2[5-9]|[3-9][0-9])\\b.*"))
          .filter(jdk -> Files.isExecutable(jdk.resolve("bin/javac")))
          .findFirst();
    }
  }

  @Test
  void shouldSellInTurkishWithoutRoot() throws Exception {
    assumeRoot();
    Path home = Files.createTempDirectory("seckill-environments");
    opened(() -> delete(home));
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));
    ApplicationProcess application =
        opened(
                ApplicationProcess.embeddedForAll(
                    home, Map.of("user.language", "tr", "user.country", "TR")))
            .environment("LC_ALL", "C")
            .workingDirectory(home)
            .by(NOBODY);

    application.start().awaitReady();

    assertSells(application, 7);
    application.terminate();
  }

  @Test
  void shouldNeedNoFolderToWriteToWhenPackaged() throws Exception {
    Path home = Files.createTempDirectory("seckill-environments");
    opened(() -> delete(home));
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    Copies.of(Path.of("target", "lib"), home.resolve("lib"));
    Copies.of(Path.of("target", "seckill-gateway.jar"), home.resolve("seckill-gateway.jar"));
    Path empty = Files.createDirectory(home.resolve("empty"));
    Files.setPosixFilePermissions(empty, PosixFilePermissions.fromString("r-xr-xr-x"));
    Map<String, String> properties = new LinkedHashMap<>(TestServers.get().properties());
    properties.put("seckill.admin.token", "a-token");
    properties.put("seckill.http.host", "127.0.0.1");
    properties.put("seckill.http.port", Integer.toString(Ports.free()));
    properties.put("seckill.management.port", Integer.toString(Ports.free()));
    properties.put("java.io.tmpdir", home.resolve("nowhere").toString());
    ApplicationProcess application =
        opened(
                ApplicationProcess.packaged(
                    home.resolve("output"), home.resolve("seckill-gateway.jar"), properties))
            .environment("HOME", home.resolve("nowhere").toString())
            .workingDirectory(empty);
    if (isRoot()) {
      application.by(NOBODY);
    }

    application.start().awaitReady();

    assertSells(application, 7);
    application.terminate();
  }

  @Test
  void shouldSayThatTheLocaleCannotExpressTheFolder() throws Exception {
    Path chinese = Files.createDirectories(folder.resolve("秒杀"));
    assertRefused(
        opened(ApplicationProcess.embedded(folder.resolve("c-locale"), Map.of()))
            .environment("LC_ALL", "C")
            .workingDirectory(chinese),
        "set LC_ALL=C.UTF-8");
    assertRefused(
        opened(
                ApplicationProcess.embedded(
                    folder.resolve("c-locale"), Map.of("seckill.data-dir", chinese.toString())))
            .environment("LC_ALL", "C"),
        "set LC_ALL=C.UTF-8");
  }

  @Test
  void shouldComeBackWhenAFullDiskHasRoomAgain() throws Exception {
    SmallDisk disk = opened(SmallDisk.of("480m"));
    ApplicationProcess application =
        opened(
            ApplicationProcess.embedded(
                folder.resolve("full-disk"),
                Map.of("seckill.data-dir", disk.point().resolve("data").toString())));
    application.start().awaitReady();
    assertSells(application, 7);
    disk.fill();

    Shop shop = application.shop();
    List<String> accepted = new ArrayList<>();
    await("a server that has ended")
        .atMost(LIMIT_SECONDS, TimeUnit.SECONDS)
        .until(
            () -> {
              int user = 100 + accepted.size();
              Shop.Reply reply = shop.buy(PRODUCT, user, "k");
              accepted.add(reply.status() == 202 ? reply.requestId() : "");
              return application.output().contains("has ended by itself");
            });
    assertThat(application.output()).contains("0 MB are free on the disk of " + disk.point());

    disk.free();
    Shop.Reply taken =
        await("orders are taken again")
            .atMost(LIMIT_SECONDS, TimeUnit.SECONDS)
            .until(() -> shop.buy(PRODUCT, 8, "k"), reply -> reply.status() < 300);
    assertThat(shop.awaitEnd(8, taken.requestId())).isEqualTo("SUCCESS");
    for (int i = 0; i < accepted.size(); i++) {
      if (!accepted.get(i).isEmpty()) {
        assertThat(shop.awaitEnd(100 + i, accepted.get(i))).isEqualTo("SUCCESS");
      }
    }
    assertThat(application.output()).contains(" is up again on ");
    Health.awaitUp(application.managementUrl());
    application.terminate();
  }

  @Test
  void shouldSayHowMuchRoomItNeeds() throws Exception {
    SmallDisk disk = opened(SmallDisk.of("64m"));
    assertRefused(
        opened(
            ApplicationProcess.embedded(
                folder.resolve("small-disk"),
                Map.of("seckill.data-dir", disk.point().resolve("data").toString()))),
        "need 400 MB, but 6",
        " MB are free on the disk of " + disk.point());
  }

  private static void assumeRoot() {
    assumeTrue(isRoot(), "Only root can become somebody else.");
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/setpriv")), "There is no setpriv (util-linux).");
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private static void assertSells(ApplicationProcess application, long user) {
    Shop shop = application.shop();
    assertThat(shop.createSale(PRODUCT, 1_000).status()).isIn(200, 201);
    Shop.Reply reply = shop.buy(PRODUCT, user, "my-first-try");
    assertThat(reply.status()).as(reply.text()).isEqualTo(202);
    assertThat(reply.text()).contains("\"productId\":1001");
    assertThat(shop.awaitEnd(user, reply.requestId())).isEqualTo("SUCCESS");
  }

  private static void assertRefused(ApplicationProcess application, String... reason) {
    application.launch();
    assertThat(application.awaitExit()).as(application.output()).isEqualTo(1);
    List<String> errors =
        application.output().lines().filter(line -> line.contains(" ERROR ")).toList();
    assertThat(errors).hasSize(1);
    assertThat(errors.get(0)).contains(reason);
    assertThat(application.output()).doesNotContain("\tat ");
  }

  private static void delete(Path root) throws IOException {
    try (Stream<Path> tree = Files.walk(root)) {
      for (Path path : tree.sorted((one, other) -> other.compareTo(one)).toList()) {
        Files.delete(path);
      }
    }
  }
}
