package io.seckill.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.seckill.StartRefusedException;
import io.seckill.embedded.KafkaServer;
import io.seckill.testing.Document;
import io.seckill.testing.Health;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user of Kafka with the rights that docs/DEPLOYING.md names. */
class KafkaRightsIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int REDIS_DATABASE = 10;
  private static final String LOGIN =
      "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%1$s\" password=\"%1$s\"";

  /** What a line allows: {@code --operation Read --topic seckill.orders}. */
  private static final Pattern OPTION = Pattern.compile("--(operation|topic|group) (\\S+)");

  @TempDir private static Path directory;
  private static KafkaServer kafka;
  private static Admin admin;

  @BeforeAll
  static void start() {
    kafka =
        new KafkaServer(
            directory,
            0,
            Map.of(
                "authorizer.class.name",
                "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                // the embedded server's own at the controller, and this test's
                "super.users",
                "User:seckill;User:broker",
                "listener.name.clients.plain.sasl.jaas.config",
                LOGIN.formatted("broker") + " user_broker=\"broker\" user_gateway=\"gateway\";"));
    kafka.start();
    admin = Admin.create(client("broker"));
  }

  @AfterAll
  static void stop() {
    admin.close();
    kafka.stop();
  }

  private static Map<String, String> properties(String user) {
    Map<String, String> properties = new HashMap<>();
    properties.put("seckill.kafka.brokers", kafka.brokers());
    properties.put("seckill.kafka.security-protocol", "SASL_PLAINTEXT");
    properties.put("seckill.kafka.sasl-mechanism", "PLAIN");
    properties.put("seckill.kafka.sasl-jaas-config", LOGIN.formatted(user) + ";");
    return properties;
  }

  private static Map<String, Object> client(String user) {
    return TestServers.kafkaClient(properties(user));
  }

  @BeforeEach
  void allowNothing() throws Exception {
    admin.deleteAcls(List.of(AclBindingFilter.ANY)).all().get();
  }

  private static List<AclBinding> documented() {
    List<AclBinding> bindings = new ArrayList<>();
    for (String line : Document.of("docs/DEPLOYING.md").commands("kafka-acls.sh")) {
      List<AclOperation> operations = new ArrayList<>();
      List<ResourcePattern> resources = new ArrayList<>();
      Matcher option = OPTION.matcher(line);
      while (option.find()) {
        if (option.group(1).equals("operation")) {
          operations.add(AclOperation.fromString(option.group(2)));
        } else {
          resources.add(
              new ResourcePattern(
                  ResourceType.fromString(option.group(1)), option.group(2), PatternType.LITERAL));
        }
      }
      for (ResourcePattern resource : resources) {
        for (AclOperation operation : operations) {
          bindings.add(
              new AclBinding(
                  resource,
                  new AccessControlEntry("User:gateway", "*", operation, AclPermissionType.ALLOW)));
        }
      }
    }
    return bindings;
  }

  private static TestApplication application(String name, int partitions) {
    Map<String, String> properties = properties("gateway");
    properties.put("seckill.orders.topic", "seckill.orders");
    properties.put("seckill.dead-letters.topic", "seckill.orders.dlq");
    properties.put("seckill.writer.group", "seckill-writer");
    properties.put("seckill.dead-letters.group", "seckill-dead-letters");
    properties.put("seckill.orders.partitions", Integer.toString(partitions));
    properties.put("seckill.results", "on");
    properties.put("seckill.webhooks", "on");
    properties.put("seckill.webhooks.http", "true");
    properties.put("seckill.webhooks.private-addresses", "true");
    return TestApplication.apart(name, REDIS_DATABASE, properties);
  }

  @Test
  void shouldSellWithTheDocumentedRightsAlone() throws Exception {
    List<AclBinding> rights = documented();
    assertThat(rights).hasSizeGreaterThan(5);
    admin.createAcls(rights).all().get();
    for (int partitions : new int[] {2, 3}) {
      try (TestApplication application = application("kafkarights", partitions)) {
        Shop shop = application.awaitReady().shop();
        long product = Products.next();
        assertThat(shop.createSale(product, 5).status()).isEqualTo(201);
        Shop.Reply webhook =
            shop.admin(
                "POST",
                "/admin/webhooks",
                Map.of(
                    "url",
                    "http://127.0.0.1:9/",
                    "events",
                    List.of("io.seckill.order.success"),
                    "productId",
                    product));
        String requestId = shop.buy(product, 1).requestId();
        assertThat(shop.awaitEnd(1, requestId)).isEqualTo("SUCCESS");
        await()
            .atMost(LIMIT)
            .until(
                () ->
                    shop.admin(
                            "GET", "/admin/webhooks/" + webhook.member("id") + "/deliveries", null)
                        .text()
                        .contains(requestId));
        shop.awaitRest(product);
        Shop.Reply rebuilt = shop.admin("POST", "/admin/sales/" + product + "/rebuild", null);
        assertThat(rebuilt.status()).as(rebuilt.text()).isEqualTo(200);
        await()
            .atMost(LIMIT)
            .untilAsserted(
                () ->
                    assertThat(Health.check(application.managementUrl(), "kafka")).isEqualTo("UP"));
      }
    }
  }

  @Test
  void shouldRefuseToStartWithoutARightToCreateItsTopics() throws Exception {
    admin
        .createAcls(
            documented().stream()
                .filter(right -> right.entry().operation() != AclOperation.CREATE)
                .toList())
        .all()
        .get();
    admin.deleteTopics(admin.listTopics().names().get()).all().get();
    await().atMost(LIMIT).until(() -> admin.listTopics().names().get().isEmpty());

    Throwable error = catchThrowable(() -> application("kafkanorights", 2).close());

    assertThat(StartRefusedException.in(error).orElseThrow(() -> new AssertionError(error)))
        .hasMessageContaining("does not allow the user of seckill.kafka.sasl-jaas-config");
  }
}
