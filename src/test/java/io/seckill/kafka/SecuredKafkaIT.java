package io.seckill.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.seckill.StartRefusedException;
import io.seckill.embedded.KafkaServer;
import io.seckill.testing.Certificate;
import io.seckill.testing.Health;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.camel.component.kafka.KafkaConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Kafka that lets in only who knows the password, or shows a certificate. */
class SecuredKafkaIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int REDIS_DATABASE = 9;

  @TempDir private Path directory;

  @Test
  void shouldGoOnByItselfAfterKafkaRefusedThePasswordForAWhile() {
    KafkaServer kafka = kafka(0, "right");
    kafka.start();
    try (TestApplication application = application(kafka.brokers())) {
      Shop shop = application.awaitReady().shop();
      long product = Products.next();
      assertThat(shop.createSale(product, 5).status()).isEqualTo(201);
      assertThat(shop.awaitEnd(1, shop.buy(product, 1).requestId())).isEqualTo("SUCCESS");

      kafka.stop();
      kafka = kafka(kafka.port(), "another");
      kafka.start();
      await("the writer's consumers give up")
          .atMost(LIMIT)
          .until(
              () ->
                  ((KafkaConsumer)
                          application.camelContext().getRoute("order-writer").getConsumer())
                      .healthStates().stream()
                          .noneMatch(state -> state.isReady() || state.isRecoverable()));
      Shop.Reply accepted = shop.buy(product, 2);
      assertThat(accepted.status()).as(accepted.text()).isEqualTo(202);

      kafka.stop();
      kafka = kafka(kafka.port(), "right");
      kafka.start();
      await()
          .atMost(LIMIT)
          .untilAsserted(() -> assertThat(shop.ledger(product).path("sold").asLong()).isEqualTo(2));
    } finally {
      kafka.stop();
    }
  }

  @Test
  void shouldSayAtTheStartThatKafkaRefusesThePassword() {
    KafkaServer kafka = kafka(0, "another");
    kafka.start();
    try {
      assertThat(refusal(withPassword(kafka.brokers())))
          .contains("seckill.kafka.sasl-jaas-config")
          .doesNotContain("right");
    } finally {
      kafka.stop();
    }
  }

  @Test
  void shouldShowItsCertificateToKafkaWithEveryClient() throws IOException {
    Certificate ofBroker = Certificate.make(directory.resolve("broker"), "broker");
    Certificate ofNode = Certificate.make(directory.resolve("node"), "gateway");
    KafkaServer kafka = kafkaWithTls(ofBroker, ofNode);
    kafka.start();
    try {
      Map<String, String> properties = new LinkedHashMap<>();
      properties.put("seckill.kafka.brokers", kafka.brokers());
      properties.put("seckill.kafka.security-protocol", "SSL");
      properties.put("seckill.kafka.truststore", ofBroker.truststore().toString());
      properties.put("seckill.kafka.truststore-password", Certificate.PASSWORD);

      assertThat(refusal(properties)).contains("seckill.kafka.keystore");

      properties.put("seckill.kafka.keystore", ofNode.keystore().toString());
      properties.put("seckill.kafka.keystore-password", Certificate.PASSWORD);
      try (TestApplication application =
          TestApplication.apart("certified", REDIS_DATABASE, properties)) {
        Shop shop = application.awaitReady().shop();
        long product = Products.next();
        assertThat(shop.createSale(product, 5).status()).isEqualTo(201);
        assertThat(shop.awaitEnd(1, shop.buy(product, 1).requestId())).isEqualTo("SUCCESS");
        Health.awaitUp(application.managementUrl(), "kafka");
      }

      properties.put("seckill.kafka.truststore", ofNode.truststore().toString());
      assertThat(refusal(properties)).contains("seckill.kafka.truststore");
      properties.put("seckill.kafka.truststore", directory.resolve("none").toString());
      assertThat(refusal(properties)).contains("seckill.kafka.*", "none");
    } finally {
      kafka.stop();
    }
  }

  private static String refusal(Map<String, String> properties) {
    Throwable error =
        catchThrowable(() -> TestApplication.apart("secured", REDIS_DATABASE, properties).close());
    assertThat(error).isNotNull();
    return StartRefusedException.in(error)
        .orElseThrow(() -> new AssertionError(error))
        .getMessage();
  }

  private KafkaServer kafkaWithTls(Certificate own, Certificate trusted) throws IOException {
    Path trust =
        Files.writeString(
            directory.resolve("trust.pem"),
            Files.readString(own.pemCertificate()) + Files.readString(trusted.pemCertificate()));
    return new KafkaServer(
        directory.resolve("kafka"),
        0,
        Map.of(
            "listener.security.protocol.map",
            "CLIENTS:SSL,CONTROLLER:SASL_PLAINTEXT",
            "ssl.client.auth",
            "required",
            "ssl.keystore.location",
            own.keystore().toString(),
            "ssl.keystore.password",
            Certificate.PASSWORD,
            "ssl.key.password",
            Certificate.PASSWORD,
            "ssl.truststore.type",
            "PEM",
            "ssl.truststore.location",
            trust.toString()));
  }

  private KafkaServer kafka(int port, String password) {
    return new KafkaServer(
        directory,
        port,
        Map.of(
            "listener.name.clients.plain.sasl.jaas.config",
            login("broker", "broker")
                + " user_broker=\"broker\" user_gateway=\""
                + password
                + "\";"));
  }

  private static TestApplication application(String brokers) {
    Map<String, String> properties = withPassword(brokers);
    properties.put("seckill.kafka.consumers-interval", "500");
    return TestApplication.apart("secured", REDIS_DATABASE, properties);
  }

  private static Map<String, String> withPassword(String brokers) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("seckill.kafka.brokers", brokers);
    properties.put("seckill.kafka.security-protocol", "SASL_PLAINTEXT");
    properties.put("seckill.kafka.sasl-mechanism", "PLAIN");
    properties.put("seckill.kafka.sasl-jaas-config", login("gateway", "right") + ";");
    return properties;
  }

  private static String login(String user, String password) {
    return "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\""
        .formatted(user, password);
  }
}
