package io.seckill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.seckill.embedded.Ports;
import io.seckill.embedded.RedisServer;
import io.seckill.redis.Redis;
import io.seckill.testing.ApplicationProcess;
import io.seckill.testing.EventReader;
import io.seckill.testing.Health;
import io.seckill.testing.Products;
import io.seckill.testing.Shell;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import io.seckill.testing.Yaml;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nodes with the environment of {@code deploy/compose.yaml} behind the proxy of {@code
 * deploy/compose}, on other servers and ports.
 */
class ComposeIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Path CONFIGURATION = Path.of("deploy", "compose", "haproxy.cfg");
  private static final String SECRETS = "/run/secrets/";

  @TempDir private static Path directory;

  private static RedisServer redis;
  private static Node first;
  private static Node second;
  private static Process proxy;
  private static Shop shop;
  private static String administrationUrl;
  private static Shop administration;

  /** A node, and where it is administered. */
  private record Node(ApplicationProcess application, int adminPort) {
    static Node of(String name, Map<String, String> servers) throws IOException {
      ApplicationProcess application =
          ApplicationProcess.shown(
              directory.resolve(name),
              "exec '%s/bin/java' -Xmx512m -XX:TieredStopAtLevel=1 -jar target/seckill-gateway.jar"
                  .formatted(System.getProperty("java.home")));
      Map<String, String> environment = new LinkedHashMap<>();
      Yaml.of(Path.of("deploy", "compose.yaml"))
          .at("/services/" + name + "/environment")
          .fields()
          .forEachRemaining(
              variable -> environment.put(variable.getKey(), text(variable.getValue())));
      int port = Ports.free();
      environment.put("SECKILL_ADMIN_PORT", Integer.toString(port));
      servers.forEach((property, value) -> put(environment, property, value));
      environment.forEach(application::environment);
      return new Node(application.start().awaitReady(), port);
    }

    private static String text(JsonNode value) {
      return value.asText().replace(SECRETS, directory.resolve("secrets") + "/");
    }

    private static void put(Map<String, String> environment, String property, String value) {
      environment.put(Settings.environmentName(property), value);
    }

    /** The line of a server of the proxy, with this node's address in the place of its name. */
    String server(String line, int port) {
      return line.replaceFirst(
          "[^ ]+$",
          "127.0.0.1:%d port %d"
              .formatted(port, URI.create(application.managementUrl()).getPort()));
    }

    int port() {
      return URI.create(application.baseUrl()).getPort();
    }
  }

  @BeforeAll
  static void start() throws Exception {
    assumeThat(new Shell(directory).run(List.of("command -v haproxy")).exitCode())
        .as("haproxy is not installed here")
        .isZero();
    assertThat(
            new Shell(Path.of("").toAbsolutePath())
                .run(List.of("deploy/make-secrets " + directory.resolve("secrets")))
                .exitCode())
        .isZero();
    Map<String, String> servers = servers();
    first = Node.of("gateway-1", servers);
    second = Node.of("gateway-2", servers);
    int buyers = Ports.free();
    int administrators = Ports.free();
    Path configuration =
        Files.write(
            directory.resolve("haproxy.cfg"),
            Files.readAllLines(CONFIGURATION).stream()
                .map(line -> here(line, buyers, administrators))
                .toList());
    proxy =
        new ProcessBuilder("haproxy", "-f", configuration.toString(), "-db")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("haproxy.log").toFile())
            .start();
    String token = secret("admin-token");
    shop = new Shop("http://127.0.0.1:" + buyers, token);
    administrationUrl = "http://127.0.0.1:" + administrators;
    administration = new Shop(administrationUrl, token);
    await("the proxy")
        .atMost(LIMIT)
        .ignoreExceptions()
        .failFast(
            () ->
                assertThat(proxy.isAlive())
                    .as(Files.readString(directory.resolve("haproxy.log")))
                    .isTrue())
        .until(() -> administration.admin("GET", "/admin/me", Map.of()).status() == 200);
  }

  /** The addresses of servers that are there; Redis with the users of the secrets. */
  private static Map<String, String> servers() throws IOException {
    redis = Redis.own();
    RedisClient client = RedisClient.create(redis.uri());
    for (String user : Files.readAllLines(directory.resolve("secrets/redis-users")).subList(1, 2)) {
      CommandArgs<String, String> words = new CommandArgs<>(StringCodec.UTF8).add("SETUSER");
      List.of(user.split(" ")).stream().skip(1).forEach(words::add);
      client
          .connect()
          .sync()
          .dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), words);
    }
    client.shutdown();
    Map<String, String> servers = new LinkedHashMap<>(TestServers.get().properties());
    servers.putAll(TestApplication.apart("composed", 0));
    servers.put("seckill.redis.uri", "redis://127.0.0.1:" + redis.port());
    Path password = directory.resolve("mysql-password");
    Files.writeString(password, servers.remove("seckill.mysql.password"));
    servers.put("seckill.mysql.password-file", password.toString());
    return servers;
  }

  private static String here(String line, int buyers, int administrators) {
    return switch (line.strip()) {
      case "maxconn 20000" -> "maxconn 200"; // as many files as a test may open
      case "bind :8080" -> "bind 127.0.0.1:" + buyers;
      case "bind :8081" -> "bind 127.0.0.1:" + administrators;
      case "server gateway-1 gateway-1:8080" -> first.server(line, first.port());
      case "server gateway-2 gateway-2:8080" -> second.server(line, second.port());
      case "server gateway-1 gateway-1:8081" -> first.server(line, first.adminPort());
      case "server gateway-2 gateway-2:8081" -> second.server(line, second.adminPort());
      default -> {
        assertThat(line.strip()).doesNotStartWith("bind ").doesNotStartWith("server ");
        yield line;
      }
    };
  }

  private static String secret(String name) throws IOException {
    return Files.readString(directory.resolve("secrets").resolve(name)).strip();
  }

  @AfterAll
  static void end() throws InterruptedException {
    if (proxy != null) {
      proxy.destroy();
      proxy.waitFor();
    }
    for (Node node : new Node[] {first, second}) {
      if (node != null) {
        node.application().close();
      }
    }
    if (redis != null) {
      redis.stopHard();
    }
  }

  @Test
  void shouldHaveAConfigurationThatTheProxyAccepts() throws Exception {
    Shell.Result result =
        new Shell(Path.of("").toAbsolutePath())
            .runWithErrors(List.of("haproxy -c -f " + CONFIGURATION));
    assertThat(result.exitCode()).as(result.printed()).isZero();
  }

  @Test
  void shouldSellAndKeepAdministrationFromBuyers() {
    long product = Products.next();
    administration.openSale(product, 2);
    assertThat(shop.awaitEnd(7, shop.buyOnceOpen(product, 7, "first").requestId()))
        .isEqualTo("SUCCESS");

    assertThat(shop.admin("GET", "/admin/me", Map.of()).status()).isEqualTo(404);
    assertThat(administration.buy(product, 8, "second").status()).isEqualTo(404);
  }

  @Test
  void shouldPassEventsOnAsTheyCome() throws IOException {
    try (EventReader events = EventReader.open(administrationUrl, secret("admin-token"), "")) {
      assertThat(events.status()).isEqualTo(200);
      await().atMost(LIMIT).until(() -> events.overviews().size() > 2);
    }
  }

  @Test
  void shouldTellMetricsToAllAndShowMBeansToTheHolderOfTheTokenAlone() throws Exception {
    for (Node node : List.of(first, second)) {
      String management = node.application().managementUrl() + "/observe/";
      String token = "admin:" + secret("management-token");
      String basic = "Basic " + Base64.getEncoder().encodeToString(token.getBytes());
      assertThat(status(management + "metrics", null)).isEqualTo(200);
      assertThat(status(management + "jolokia/version", null)).isEqualTo(401);
      assertThat(status(management + "jolokia/version", basic)).isEqualTo(200);
    }
  }

  private static int status(String address, String authorization) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address));
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.discarding()).statusCode();
  }

  /** A buyer whose node dies asks again with his key, and gets his one reservation. */
  @Test
  void shouldSellOnWhileANodeIsGone() {
    long product = Products.next();
    int units = 20;
    administration.openSale(product, units);
    shop.buyOnceOpen(product, 1, "1");
    second.application().kill();
    try {
      for (int user = 2; user <= units; user++) {
        int buyer = user;
        await("a purchase")
            .atMost(LIMIT)
            .until(() -> shop.buy(product, buyer, "" + buyer).status(), status -> status < 300);
      }
      assertThat(shop.buy(product, units + 1, "late").code()).isEqualTo("FAIL_SOLD_OUT");
    } finally {
      second.application().start();
      Health.awaitUp(second.application().managementUrl());
    }
    assertThat(administration.awaitRest(product).path("sold").asInt()).isEqualTo(units);
  }
}
