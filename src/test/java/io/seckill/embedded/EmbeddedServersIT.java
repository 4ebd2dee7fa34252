package io.seckill.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seckill.testing.TestServers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedServersIT {
  /** Kept over runs, for MariaDB's binaries take a while to unpack. */
  private static final Path DIRECTORY = Path.of("target", "embedded-servers-it");

  private static EmbeddedServers.Plan anyPorts(Path directory) {
    return new EmbeddedServers.Plan(directory, 0, 0, 0, false);
  }

  @Test
  void shouldFindDataAgainAfterARestart() throws Exception {
    String text = UUID.randomUUID().toString();
    try (EmbeddedServers servers = EmbeddedServers.start(anyPorts(DIRECTORY))) {
      new Keepsake(servers.properties()).leave(text);
    }
    try (EmbeddedServers servers = EmbeddedServers.start(anyPorts(DIRECTORY))) {
      assertThat(new Keepsake(servers.properties()).find()).containsExactly(text, text, text);
    }
  }

  @Test
  void shouldComeBackOnTheSamePortAfterAHardStop() throws Exception {
    String text = UUID.randomUUID().toString();
    try (EmbeddedServers servers = EmbeddedServers.start(anyPorts(DIRECTORY))) {
      var addresses = servers.properties();
      new Keepsake(addresses).leave(text);

      for (EmbeddedServer server :
          List.of(
              servers.redis().orElseThrow(), servers.kafka().orElseThrow(), servers.mariaDb())) {
        server.stopHard();
        assertThat(server.isRunning()).as(server.name()).isFalse();
        assertThat(Ports.isFree(server.port())).as(server.name()).isTrue();
        server.start();
      }

      assertThat(servers.properties()).isEqualTo(addresses);
      assertThat(new Keepsake(addresses).find()).containsExactly(text, text, text);
    }
  }

  @Test
  void shouldTakeOverDataThatAnEarlierVersionLeftWithoutPasswords() throws Exception {
    String text = UUID.randomUUID().toString();
    try (EmbeddedServers servers = EmbeddedServers.start(anyPorts(DIRECTORY))) {
      new Keepsake(servers.properties()).leave(text);
    }
    Files.delete(DIRECTORY.resolve("redis").resolve("password"));
    KafkaServer open =
        new KafkaServer(
            DIRECTORY.resolve("kafka"),
            0,
            Map.of("listener.security.protocol.map", "CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT"));
    open.start();
    open.stop();
    Files.delete(DIRECTORY.resolve("kafka").resolve("password"));
    Files.setPosixFilePermissions(DIRECTORY, PosixFilePermissions.fromString("rwxr-xr-x"));

    try (EmbeddedServers servers = EmbeddedServers.start(anyPorts(DIRECTORY))) {
      assertThat(new Keepsake(servers.properties()).find()).containsExactly(text, text, text);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(DIRECTORY)))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void shouldLetInOnlyWhoKnowsThePassword() throws Exception {
    try (EmbeddedServers servers = EmbeddedServers.start(anyPorts(DIRECTORY))) {
      RedisServer redis = servers.redis().orElseThrow();
      assertThat(send(redis.port(), "PING\r\n")).startsWith("-NOAUTH");
      assertThat(send(redis.port(), "AUTH wrong\r\n")).startsWith("-WRONGPASS");
      assertThat(send(redis.port(), "AUTH " + redis.password() + "\r\n")).startsWith("+OK");

      KafkaServer kafka = servers.kafka().orElseThrow();
      Map<String, Object> client = TestServers.kafkaClient(servers.properties());
      String jaas = client.get("sasl.jaas.config").toString();
      client.put("sasl.jaas.config", jaas.replaceAll("password=\"\\w+\"", "password=\"wrong\""));
      assertThatThrownBy(() -> topics(client))
          .hasCauseInstanceOf(SaslAuthenticationException.class);
      assertThatThrownBy(
              () ->
                  topics(
                      Map.of(
                          "bootstrap.servers",
                          kafka.brokers(),
                          "default.api.timeout.ms",
                          2_000,
                          "request.timeout.ms",
                          1_000)))
          .hasCauseInstanceOf(TimeoutException.class);
      Properties forTools = new Properties();
      try (var in = Files.newInputStream(DIRECTORY.resolve("kafka").resolve("client.properties"))) {
        forTools.load(in);
      }
      Map<String, Object> known = new HashMap<>();
      known.put("bootstrap.servers", kafka.brokers());
      forTools.forEach((name, value) -> known.put((String) name, value));
      assertThat(topics(known)).isNotNull();
    }
  }

  private static String send(int port, String command) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(command.getBytes(StandardCharsets.US_ASCII));
      return new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
          .readLine();
    }
  }

  private static Set<String> topics(Map<String, Object> client) throws Exception {
    try (Admin admin = Admin.create(client)) {
      return admin.listTopics().names().get();
    }
  }

  @Test
  void shouldInstallMariaDbInSeveralFoldersAtOnce(@TempDir Path folder) {
    List<MariaDbServer> servers =
        IntStream.range(0, 3)
            .mapToObj(i -> new MariaDbServer(folder.resolve("mariadb-" + i), 0))
            .toList();
    try {
      CompletableFuture.allOf(
              servers.stream()
                  .map(server -> CompletableFuture.runAsync(server::start))
                  .toArray(CompletableFuture[]::new))
          .join();
      assertThat(servers).allMatch(MariaDbServer::isRunning);
    } finally {
      servers.forEach(MariaDbServer::stop);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "with spaces, a comma, it's \"quoted\", $HOME `x` %41 #1 \\ and * [a]",
        "中文目录",
        "longer-than-the-107-bytes-of-a-socket-address/longer-than-the-107-bytes-of-a-socket-address"
            + "/longer-than-the-107-bytes-of-a-socket-address"
      })
  void shouldRunInAnyFolder(String name, @TempDir Path folder) throws Exception {
    String text = UUID.randomUUID().toString();
    Path directory = folder.resolve(name);
    for (boolean leave : new boolean[] {true, false}) {
      try (EmbeddedServers servers = EmbeddedServers.start(anyPorts(directory))) {
        Keepsake keepsake = new Keepsake(servers.properties());
        if (leave) {
          keepsake.leave(text);
        } else {
          assertThat(keepsake.find()).containsExactly(text, text, text);
        }
      }
    }
  }

  @Test
  void shouldNameTheLibrariesThatAreMissing() {
    assertThatThrownBy(
            () ->
                SharedLibraries.requireOf(
                    Set.of("libcrypt.so.1", "libcrypto.so.3"),
                    List.of("libssl.so.3", "libcrypto.so.3", "libcrypt.so.1", "libstdc++.so.6")))
        .isInstanceOf(EmbeddedServerException.class)
        .hasMessage(
            "The embedded servers need libssl.so.3, libstdc++.so.6, which this system lacks: install"
                + " libssl3, libstdc++6 (names of Debian 12), or set seckill.backends=external with"
                + " servers of your own.");
  }

  @Test
  void shouldTakeOtherPortsWhenThePreferredAreTaken() throws Exception {
    try (ServerSocket first = listen();
        ServerSocket second = listen();
        ServerSocket third = listen();
        EmbeddedServers servers =
            EmbeddedServers.start(
                new EmbeddedServers.Plan(
                    DIRECTORY,
                    first.getLocalPort(),
                    second.getLocalPort(),
                    third.getLocalPort(),
                    false))) {
      assertThat(
              List.of(
                  servers.redis().orElseThrow().port(),
                  servers.kafka().orElseThrow().port(),
                  servers.mariaDb().port()))
          .doesNotContain(first.getLocalPort(), second.getLocalPort(), third.getLocalPort())
          .doesNotHaveDuplicates();
      assertThat(servers.properties())
          .containsEntry("seckill.redis.uri", servers.redis().orElseThrow().uri());
    }
  }

  private static ServerSocket listen() throws Exception {
    return new ServerSocket(Ports.free(), 1, InetAddress.getLoopbackAddress());
  }

  @Test
  void shouldWriteAddressesForTheOwnerAlone() throws Exception {
    try (EmbeddedServers servers =
        EmbeddedServers.start(new EmbeddedServers.Plan(DIRECTORY, 0, 0, 0, true))) {
      servers.writeAddresses("the-token");

      assertThat(servers.redis()).isEmpty();
      assertThat(servers.kafka()).isEmpty();
      assertThat(Files.readString(servers.addressFile()))
          .contains(
              "seckill.mysql.url=jdbc:mysql://127.0.0.1:" + servers.mariaDb().port() + "/seckill\n")
          .contains("seckill.mysql.user=seckill\n")
          .contains("seckill.mysql.password=" + servers.mariaDb().password() + "\n")
          .contains("seckill.admin.token=the-token\n")
          .doesNotContain("seckill.redis.uri", "seckill.kafka.brokers");
      assertThat(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(servers.addressFile())))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void shouldMakeAnAdminTokenOnceForTheOwnerAlone() throws Exception {
    String token;
    try (EmbeddedServers servers =
        EmbeddedServers.start(new EmbeddedServers.Plan(DIRECTORY, 0, 0, 0, true))) {
      token = servers.adminToken();
      assertThat(token).matches("[0-9a-f]{32}");
      assertThat(Files.readString(servers.adminTokenFile())).isEqualTo(token + "\n");
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(servers.adminTokenFile())))
          .isEqualTo("rw-------");
    }
    try (EmbeddedServers again =
        EmbeddedServers.start(new EmbeddedServers.Plan(DIRECTORY, 0, 0, 0, true))) {
      assertThat(again.adminToken()).isEqualTo(token);
      Files.delete(again.adminTokenFile());
      assertThat(again.adminToken()).isNotEqualTo(token);
    }
  }

  @Test
  void shouldBelongToOneApplicationAtATime() {
    try (EmbeddedServers servers =
        EmbeddedServers.start(new EmbeddedServers.Plan(DIRECTORY, 0, 0, 0, true))) {
      assertThatThrownBy(() -> EmbeddedServers.start(anyPorts(DIRECTORY)))
          .isInstanceOf(EmbeddedServerException.class)
          .hasMessageContaining("Another application")
          .hasMessageContaining(DIRECTORY.toAbsolutePath().toString())
          .hasMessageContaining("seckill.data-dir");
      assertThat(servers.mariaDb().isRunning()).isTrue();
    }
  }

  @Test
  void shouldStopWhatDidStartWhenOneServerCannot(@TempDir Path directory) throws Exception {
    Files.writeString(directory.resolve("mariadb"), "a file where a directory should be");
    int redisPort = Ports.free();

    assertThatThrownBy(
            () ->
                EmbeddedServers.start(new EmbeddedServers.Plan(directory, redisPort, 0, 0, false)))
        .isInstanceOf(EmbeddedServerException.class)
        .hasMessageContaining("MariaDB");

    assertThat(Ports.isFree(redisPort)).isTrue();
    Files.delete(directory.resolve("mariadb"));
    // the directory is free again: the lock is gone with the failed start
    assertThat(ProcessHandle.allProcesses().map(p -> p.info().command().orElse("")))
        .noneMatch(command -> command.startsWith(directory.toString()));
  }

  @Test
  void shouldTellKafkasAddressWhileItStillStarts() throws Exception {
    try (EmbeddedServers servers = EmbeddedServers.begin(anyPorts(DIRECTORY))) {
      Map<String, String> addresses = servers.properties();
      assertThat(servers.redis().orElseThrow().isRunning()).isTrue();
      assertThat(servers.mariaDb().isRunning()).isTrue();

      servers.awaitStarted();

      assertThat(servers.properties()).isEqualTo(addresses);
      String text = UUID.randomUUID().toString();
      new Keepsake(addresses).leave(text);
      assertThat(new Keepsake(addresses).find()).containsExactly(text, text, text);
    }
  }

  @Test
  void shouldStopTheOthersWhenKafkaCannotStartInTheBackground(@TempDir Path directory)
      throws Exception {
    Files.createDirectory(directory.resolve("kafka"));
    Files.writeString(directory.resolve("kafka/logs"), "a file where a directory should be");
    try (EmbeddedServers servers = EmbeddedServers.begin(anyPorts(directory))) {
      assertThatThrownBy(servers::awaitStarted)
          .isInstanceOf(EmbeddedServerException.class)
          .hasMessageContaining("Kafka");
      assertThat(Ports.isFree(servers.mariaDb().port())).isTrue();
      assertThat(Ports.isFree(servers.redis().orElseThrow().port())).isTrue();
    }
  }

  @Test
  void shouldNameExternalModeWhereThereIsNoBinary(@TempDir Path directory) {
    String architecture = System.getProperty("os.arch");
    System.setProperty("os.arch", "sparc");
    try {
      assertThatThrownBy(() -> new MariaDbServer(directory, 0).start())
          .isInstanceOf(EmbeddedServerException.class)
          .hasMessageContaining("MariaDB")
          .hasMessageContaining("sparc")
          .hasMessageContaining("seckill.backends=external")
          .hasMessageContaining("seckill.mysql.url");
    } finally {
      System.setProperty("os.arch", architecture);
    }
  }
}
