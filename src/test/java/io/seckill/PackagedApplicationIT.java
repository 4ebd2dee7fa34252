package io.seckill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.seckill.embedded.Ports;
import io.seckill.testing.ApplicationProcess;
import io.seckill.testing.Document;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The jar of {@code mvn package} with the libraries beside it, run by {@code java -jar}. */
class PackagedApplicationIT {
  private static final Path JAR = Path.of("target", "seckill-gateway.jar");

  @TempDir private Path directory;

  @Test
  void shouldHoldNoEmbeddedServer() throws Exception {
    assertThat(libraries())
        .isNotEmpty()
        .allSatisfy(library -> assertThat(JAR.resolveSibling(library)).exists())
        .noneMatch(PackagedApplicationIT::isForDevelopment);
  }

  private static boolean isForDevelopment(String library) {
    return Stream.of(
            "embedded-redis",
            "kafka_2.13",
            "kafka-server",
            "scala",
            "maria",
            "testcontainers",
            "junit")
        .anyMatch(library.toLowerCase(Locale.ROOT)::contains);
  }

  private static List<String> libraries() throws Exception {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      String classPath = jar.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      return Arrays.asList(classPath.split(" "));
    }
  }

  @Test
  void shouldListEveryLibraryForScanners() throws Exception {
    Map<String, String> listed = new TreeMap<>();
    try (JarFile jar = new JarFile(JAR.toFile())) {
      JarEntry entry = jar.getJarEntry("META-INF/sbom/application.cdx.json");
      assumeThat(entry).as("Maven makes no list when it is offline").isNotNull();
      InputStream bill = jar.getInputStream(entry);
      for (JsonNode component : new ObjectMapper().readTree(bill).path("components")) {
        assertThat(component.path("purl").asText()).startsWith("pkg:maven/");
        for (JsonNode hash : component.path("hashes")) {
          if (hash.path("alg").asText().equals("SHA-256")) {
            listed.put(
                component.path("name").asText() + "-" + component.path("version").asText() + ".jar",
                hash.path("content").asText());
          }
        }
      }
    }
    Map<String, String> there = new TreeMap<>();
    for (String library : libraries()) {
      Path file = JAR.resolveSibling(library);
      there.put(
          file.getFileName().toString(),
          HexFormat.of()
              .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file))));
    }
    assertThat(listed).isEqualTo(there);
  }

  @Test
  void shouldRefuseToStartWithoutAddressesAndToken() {
    try (ApplicationProcess application =
        ApplicationProcess.packaged(directory, JAR, ports(Map.of()))) {
      application.launch();

      assertThat(application.awaitExit()).isEqualTo(1);
      assertThat(errors(application)).hasSize(1);
      assertThat(errors(application).get(0))
          .contains(
              "seckill.redis.uri, seckill.kafka.brokers, seckill.mysql.url, seckill.mysql.user,"
                  + " seckill.mysql.password, seckill.admin.token")
          .contains("SECKILL_REDIS_URI");
      assertThat(application.output()).doesNotContain("Exception");
    }
  }

  @Test
  void shouldRefuseToStartWithoutAdminToken() {
    try (ApplicationProcess application =
        ApplicationProcess.packaged(directory, JAR, ports(TestServers.get().properties()))) {
      application.launch();

      assertThat(application.awaitExit()).isEqualTo(1);
      assertThat(errors(application)).hasSize(1);
      assertThat(errors(application).get(0)).contains("set seckill.admin.token (");
    }
  }

  @Test
  void shouldSayWhyItHasNoEmbeddedServers() {
    try (ApplicationProcess application =
        ApplicationProcess.packaged(
            directory, JAR, ports(Map.of("seckill.backends", "embedded")))) {
      application.launch();

      assertThat(application.awaitExit()).isEqualTo(1);
      assertThat(errors(application)).hasSize(1);
      assertThat(errors(application).get(0)).contains("seckill.backends=external");
    }
  }

  @Test
  void shouldRefuseAPropertyThatIsMisspelt() {
    try (ApplicationProcess application =
        ApplicationProcess.packaged(directory, JAR, ports(Map.of("seckill.stratgey", "B")))) {
      application.launch();

      assertThat(application.awaitExit()).isEqualTo(1);
      assertThat(errors(application)).hasSize(1);
      assertThat(errors(application).get(0))
          .contains("no property seckill.stratgey: all are in application.properties");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:1, does not answer within 1 s",
    "kafka.invalid:9092, No resolvable bootstrap urls"
  })
  void shouldSayThatKafkaIsNotThere(String brokers, String reason) {
    Map<String, String> properties = ports(TestServers.get().properties());
    properties.put("seckill.admin.token", "a-token");
    properties.put("seckill.kafka.brokers", brokers);
    properties.put("seckill.start-timeout", "1000");
    try (ApplicationProcess application = ApplicationProcess.packaged(directory, JAR, properties)) {
      application.launch();

      assertThat(application.awaitExit()).isEqualTo(1);
      assertThat(errors(application)).hasSize(1);
      assertThat(errors(application).get(0))
          .contains("Kafka at " + brokers + " (seckill.kafka.brokers)", reason);
      assertThat(application.output()).doesNotContain("\tat ");
    }
  }

  @Test
  void shouldRefuseArguments() {
    try (ApplicationProcess application =
        ApplicationProcess.packaged(directory, JAR, Map.of()).arguments("--port", "80")) {
      application.launch();

      assertThat(application.awaitExit()).isEqualTo(1);
      assertThat(errors(application)).hasSize(1);
      assertThat(errors(application).get(0)).contains("takes no arguments", "'--port 80'");
    }
  }

  @Test
  void shouldRefuseAPortThatIsTaken() throws Exception {
    Map<String, String> properties = ports(TestServers.get().properties());
    properties.put("seckill.admin.token", "a-token");
    try (var taken = new ServerSocket(Integer.parseInt(properties.get("seckill.http.port")));
        ApplicationProcess application = ApplicationProcess.packaged(directory, JAR, properties)) {
      application.launch();

      assertThat(application.awaitExit()).isEqualTo(1);
      assertThat(errors(application)).hasSize(1);
      assertThat(errors(application).get(0))
          .contains(":" + taken.getLocalPort())
          .contains("set seckill.http.port");
    }
  }

  @Test
  void shouldRunOnExternalServersAndTakePropertiesFromTheEnvironment() throws Exception {
    Map<String, String> properties = ports(TestServers.get().properties());
    properties.put("seckill.admin.token", "a-token");
    properties.put("seckill.http.host", "127.0.0.1");
    properties.put("seckill.log.format", "json");
    try (ApplicationProcess application =
        ApplicationProcess.packaged(directory, JAR, properties)
            .environment("SECKILL_STRATEGY", "B")
            .start()) {
      application.awaitReady();
      assertThat(application.output())
          .contains("full, strategy B")
          .doesNotContain(properties.get("seckill.mysql.password"), "a-token");
      assertThat(application.output().lines().filter(line -> !line.isBlank()))
          .allSatisfy(line -> assertThat(line).startsWith("{\"time\":\"").endsWith("}"));
      application.terminate();
    }
  }

  /** With the addresses of servers that are there in the place of those it names. */
  @Test
  void shouldRunAsTheDocumentShows() {
    Document page = Document.of("docs/DEPLOYING.md");
    Map<String, String> values = new LinkedHashMap<>(TestApplication.apart("deployed", 14));
    TestServers.get().properties().forEach(values::putIfAbsent);
    values.put("seckill.admin.token", "a-token");
    // servers that are not the embedded ones may let everybody in
    values.putIfAbsent("seckill.kafka.security-protocol", "PLAINTEXT");
    values.putIfAbsent("seckill.kafka.sasl-jaas-config", "");
    String script = page.commands("export").get(0) + "\nexec " + page.commands("java").get(0);
    for (Map.Entry<String, String> value : values.entrySet()) {
      String variable = value.getKey().toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
      script =
          script
              .replaceAll("(?<=-D" + Pattern.quote(value.getKey()) + "=)\\S+", quoted(value))
              .replaceAll("(?<=\\b" + variable + "=)\\S+", quoted(value));
    }
    assertThat(script).doesNotContain("…", "//redis:", "=kafka:");
    try (ApplicationProcess application =
        ApplicationProcess.shown(directory, script).start().awaitReady()) {
      assertThat(application.output()).contains("full, strategy A");
    }
  }

  @Test
  void shouldReadSecretsFromFiles() throws Exception {
    Map<String, String> properties = ports(TestServers.get().properties());
    properties.put("seckill.admin.token", "a-token");
    List<String> secrets =
        List.of("seckill.redis.uri", "seckill.mysql.password", "seckill.admin.token");
    for (String name : secrets) {
      Path file = directory.resolve(name);
      Files.writeString(file, properties.remove(name) + "\n");
      properties.put(name + "-file", file.toString());
    }
    try (ApplicationProcess application =
        ApplicationProcess.packaged(directory, JAR, properties).start().awaitReady()) {
      Shop shop = new Shop(application.baseUrl(), "a-token");
      assertThat(shop.createSale(Products.next(), 1).status()).isEqualTo(201);
    }
    properties.put("seckill.admin.token", "another");
    try (ApplicationProcess application =
        ApplicationProcess.packaged(directory, JAR, properties).launch()) {
      assertThat(application.awaitExit()).isEqualTo(1);
      assertThat(errors(application))
          .singleElement()
          .asString()
          .endsWith(
              "seckill.admin.token and seckill.admin.token-file are both set: remove one of them.");
    }
  }

  private static String quoted(Map.Entry<String, String> value) {
    return Matcher.quoteReplacement("'" + value.getValue() + "'");
  }

  @Test
  void shouldRunInMinimalModeOnMySqlAlone() throws Exception {
    Map<String, String> servers = TestServers.get().properties();
    Map<String, String> properties = ports(Map.of());
    properties.put("seckill.mode", "minimal");
    properties.put(
        "seckill.mysql.url",
        servers.get("seckill.mysql.url") + "_packagedminimal?createDatabaseIfNotExist=true");
    properties.put("seckill.mysql.user", servers.get("seckill.mysql.user"));
    properties.put("seckill.mysql.password", servers.get("seckill.mysql.password"));
    properties.put("seckill.admin.token", "a-token");
    try (ApplicationProcess application =
        ApplicationProcess.packaged(directory, JAR, properties).start().awaitReady()) {
      Shop shop = application.shop();
      assertThat(shop.createSale(1001, 1).status()).isEqualTo(201);
      String requestId = shop.buy(1001, 7, "k").requestId();
      assertThat(shop.awaitEnd(7, requestId)).isEqualTo("SUCCESS");
    }
  }

  private static Map<String, String> ports(Map<String, String> properties) {
    Map<String, String> all = new LinkedHashMap<>(properties);
    all.put("seckill.http.port", Integer.toString(Ports.free()));
    all.put("seckill.management.port", Integer.toString(Ports.free()));
    return all;
  }

  private static List<String> errors(ApplicationProcess application) {
    return application.output().lines().filter(line -> line.contains(" ERROR ")).toList();
  }
}
