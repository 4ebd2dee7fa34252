package io.seckill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.seckill.testing.Document;
import io.seckill.testing.PropertyNames;
import io.seckill.testing.Shell;
import io.seckill.testing.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import kafka.server.KafkaConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code deploy/compose.yaml} and the files beside it name only what is there. */
class ComposeTest {
  private static final Path FILE = Path.of("deploy", "compose.yaml");
  private static final JsonNode COMPOSE = Yaml.of(FILE);
  private static final String SECRETS = "/run/secrets/";

  @TempDir private Path directory;

  private static Stream<String> services() {
    return names(COMPOSE.path("services")).stream();
  }

  private static Stream<String> nodes() {
    return services().filter(name -> name.startsWith("gateway-"));
  }

  private static JsonNode service(String name) {
    return COMPOSE.path("services").path(name);
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }

  @Test
  void shouldBeReadByDockerCompose() throws Exception {
    String tool =
        "$(docker compose version > /dev/null 2>&1 && echo docker compose || echo docker-compose)";
    Shell shell = new Shell(Path.of("").toAbsolutePath());
    assumeThat(shell.run(List.of(tool + " version")).exitCode())
        .as("Neither docker compose nor docker-compose is installed here")
        .isZero();
    Shell.Result result = shell.runWithErrors(List.of(tool + " -f " + FILE + " config -q"));
    assertThat(result.exitCode()).as(result.printed()).isZero();
    assertThat(result.printed()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("services")
  void shouldNameAnImageByTheTagOfOneVersion(String name) {
    assertThat(service(name).path("image").asText())
        .matches("[a-z/]+:v?\\d+\\.\\d+\\.\\d+(-[a-z0-9-]+)?|.*:-seckill-gateway:.*}");
  }

  @Test
  void shouldRunTheImageThatIsMade() throws Exception {
    String version =
        Files.readString(Path.of("pom.xml"))
            .replaceAll("(?s).*?<version>([^<]+)</version>.*", "$1");
    assertThat(nodes())
        .isNotEmpty()
        .allSatisfy(
            name ->
                assertThat(service(name).path("image").asText())
                    .contains(":-seckill-gateway:" + version + "}"));
    assertThat(Path.of("deploy", "up")).content().contains("seckill-gateway:" + version + "}");
  }

  @ParameterizedTest
  @MethodSource("services")
  void shouldMountOnlyWhatIsThere(String name) {
    List<String> volumes = names(COMPOSE.path("volumes"));
    for (String mount : texts(service(name).path("volumes"))) {
      String source = mount.split(":")[0];
      if (source.startsWith(".")) {
        assertThat(FILE.resolveSibling(source)).as(mount).isRegularFile();
        assertThat(mount).endsWith(":ro");
      } else {
        assertThat(volumes).contains(source);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("services")
  void shouldGiveAServiceTheSecretsThatItReads(String name) throws IOException {
    Set<String> read = new TreeSet<>();
    for (JsonNode value : service(name).path("environment")) {
      if (value.asText().startsWith(SECRETS)) {
        read.add(value.asText().substring(SECRETS.length()));
      }
    }
    if (name.equals("redis")) {
      read.add(redisConfiguration("aclfile").substring(SECRETS.length()));
    }
    assertThat(texts(service(name).path("secrets"))).containsExactlyInAnyOrderElementsOf(read);
  }

  private static String redisConfiguration(String directive) throws IOException {
    return Files.readAllLines(Path.of("deploy/compose/redis.conf")).stream()
        .filter(line -> line.startsWith(directive + " "))
        .map(line -> line.substring(directive.length() + 1))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("services")
  void shouldSetOnlyWhatIsReadAndNoSecret(String name) throws IOException {
    List<String> variables =
        names(service(name).path("environment")).stream()
            .filter(variable -> variable.startsWith("SECKILL_"))
            .toList();
    if (name.startsWith("hawtio-")) {
      assertThat(Path.of("bin", "hawtio")).content().contains(variables);
    } else {
      assertThat(EnvironmentNames.all()).containsAll(variables);
      assertThat(variables).noneMatch(EnvironmentNames.secrets()::contains);
    }
    assertThat(Files.readString(FILE)).doesNotContainPattern("(?i)password: \\S|token: \\S");
  }

  @ParameterizedTest
  @MethodSource("services")
  void shouldPublishPortsOnLoopbackAlone(String name) {
    assertThat(texts(service(name).path("ports")))
        .allSatisfy(port -> assertThat(port).matches("127\\.0\\.0\\.1:(\\d+):\\1"));
  }

  @ParameterizedTest
  @MethodSource("nodes")
  void shouldRunANodeWithoutRightsAndLetItEndInGoodOrder(String name) {
    JsonNode node = service(name);
    assertThat(node.path("read_only").asBoolean()).isTrue();
    assertThat(texts(node.path("tmpfs"))).containsExactly("/tmp");
    assertThat(texts(node.path("cap_drop"))).containsExactly("ALL");
    assertThat(texts(node.path("security_opt"))).containsExactly("no-new-privileges:true");
    assertThat(
            Duration.parse("PT" + node.path("stop_grace_period").asText().toUpperCase(Locale.ROOT)))
        .isGreaterThan(Duration.ofSeconds(PropertyNames.number("camel.main.shutdownTimeout")));
    assertThat(node.at("/ulimits/nofile").asInt())
        .isGreaterThan(PropertyNames.number("seckill.http.max-connections"));
    assertThat(node.at("/environment/SECKILL_CONSOLE_NODE").asText()).isEqualTo(name);
  }

  @Test
  void shouldLetTheProxyOpenTwoFilesForEachConnection() throws IOException {
    int connections =
        Integer.parseInt(
            Files.readString(Path.of("deploy/compose/haproxy.cfg"))
                .replaceAll("(?s).* maxconn (\\d+).*", "$1"));
    assertThat(service("proxy").at("/ulimits/nofile").asInt()).isGreaterThan(2 * connections);
  }

  @Test
  void shouldLetOnlyNodesReachTheServers() {
    assertThat(COMPOSE.at("/networks/servers/internal").asBoolean()).isTrue();
    List<String> inside =
        services()
            .filter(name -> texts(service(name).path("networks")).contains("servers"))
            .toList();
    assertThat(inside)
        .containsExactlyInAnyOrder("gateway-1", "gateway-2", "redis", "kafka", "mysql");
    assertThat(Stream.of("redis", "kafka", "mysql"))
        .allSatisfy(name -> assertThat(service(name).path("networks")).hasSize(1));
  }

  @Test
  void shouldKeepInRedisWhatItAcknowledged() throws IOException {
    assertThat(redisConfiguration("appendonly")).isEqualTo("yes");
    assertThat(redisConfiguration("appendfsync")).isEqualTo("always");
    assertThat(redisConfiguration("maxmemory-policy")).isEqualTo("noeviction");
  }

  /** The image makes a property of the broker of each variable. */
  @Test
  void shouldConfigureABrokerThatKafkaAccepts() {
    Properties properties = new Properties();
    service("kafka")
        .path("environment")
        .fields()
        .forEachRemaining(
            variable ->
                properties.put(
                    variable
                        .getKey()
                        .substring("KAFKA_".length())
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '.'),
                    variable.getValue().asText()));
    KafkaConfig broker = KafkaConfig.fromProps(properties);
    assertThat(broker.unused()).isEmpty();
    assertThat(broker.brokerId()).isEqualTo(1);
    assertThat(service("gateway-1").at("/environment/SECKILL_KAFKA_BROKERS").asText())
        .isEqualTo("kafka:9092");
  }

  @Test
  void shouldScrapeEachNodeAndLoadTheAlerts() {
    JsonNode prometheus = Yaml.of(Path.of("deploy/compose/prometheus.yml"));
    JsonNode job = prometheus.path("scrape_configs").get(0);
    assertThat(job.path("job_name").asText()).isEqualTo("seckill"); // as the alerts name it
    assertThat(texts(job.at("/static_configs/0/targets")))
        .containsExactlyElementsOf(nodes().map(node -> node + ":9876").toList());
    assertThat(texts(prometheus.path("rule_files")))
        .allSatisfy(
            file ->
                assertThat(texts(service("prometheus").path("volumes")))
                    .contains("../watch/" + file + ":/etc/prometheus/" + file + ":ro"));
  }

  @Test
  void shouldShowTheDashboardWithoutAHand() {
    JsonNode provider =
        Yaml.of(Path.of("deploy/compose/grafana/dashboards.yaml")).path("providers").get(0);
    String home =
        service("grafana").at("/environment/GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH").asText();
    assertThat(home).startsWith(provider.at("/options/path").asText() + "/");
    assertThat(texts(service("grafana").path("volumes")))
        .contains("../watch/grafana-dashboard.json:" + home + ":ro");
    JsonNode source =
        Yaml.of(Path.of("deploy/compose/grafana/datasources.yaml")).path("datasources").get(0);
    assertThat(source.path("isDefault").asBoolean()).isTrue();
    assertThat(source.path("url").asText()).isEqualTo("http://prometheus:9090");
  }

  @Test
  void shouldMakeEachSecretOnceForItsOwnerAlone() throws Exception {
    Path secrets = directory.resolve("secrets");
    make(secrets);
    TreeMap<String, String> made = contents(secrets);
    assertThat(made.keySet())
        .isEqualTo(new TreeSet<>(names(COMPOSE.path("secrets"))))
        .allSatisfy(
            name ->
                assertThat(COMPOSE.path("secrets").path(name).path("file").asText())
                    .isEqualTo("./secrets/" + name));
    assertThat(Set.copyOf(made.values())).hasSameSizeAs(made.values());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secrets)))
        .isEqualTo("rwx------");
    String hash =
        HexFormat.of()
            .formatHex(
                MessageDigest.getInstance("SHA-256")
                    .digest(made.get("redis-password").strip().getBytes()));
    String documented = Document.of("docs/REDIS.md").commands("ACL SETUSER").get(0);
    assertThat(made.get("redis-users"))
        .isEqualTo(
            "user default off\n"
                + documented.replace("ACL SETUSER", "user").replace(">PASSWORD", "#" + hash)
                + "\n");

    Files.delete(secrets.resolve("admin-token"));
    make(secrets);

    TreeMap<String, String> again = contents(secrets);
    assertThat(again.remove("admin-token")).isNotEqualTo(made.remove("admin-token"));
    assertThat(again).isEqualTo(made);
  }

  private static void make(Path folder) throws Exception {
    Shell.Result result =
        new Shell(Path.of("").toAbsolutePath())
            .runWithErrors(List.of("deploy/make-secrets " + folder));
    assertThat(result.exitCode()).as(result.printed()).isZero();
  }

  private static TreeMap<String, String> contents(Path folder) throws IOException {
    TreeMap<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        contents.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return contents;
  }
}
