package io.seckill.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.seckill.embedded.KafkaServer;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.camel.component.kafka.KafkaConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Kafka that lets in only who knows the password. */
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

  private KafkaServer kafka(int port, String password) {
    return new KafkaServer(
        directory,
        port,
        Map.of(
            "listener.security.protocol.map",
            "PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
            "inter.broker.listener.name",
            "PLAINTEXT",
            "sasl.enabled.mechanisms",
            "PLAIN",
            "sasl.mechanism.inter.broker.protocol",
            "PLAIN",
            "listener.name.plaintext.plain.sasl.jaas.config",
            login("broker", "broker")
                + " user_broker=\"broker\" user_gateway=\""
                + password
                + "\";"));
  }

  private static TestApplication application(String brokers) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("seckill.kafka.brokers", brokers);
    properties.put("seckill.kafka.security-protocol", "SASL_PLAINTEXT");
    properties.put("seckill.kafka.sasl-mechanism", "PLAIN");
    properties.put("seckill.kafka.sasl-jaas-config", login("gateway", "right") + ";");
    properties.put("seckill.kafka.consumers-interval", "500");
    return TestApplication.apart("secured", REDIS_DATABASE, properties);
  }

  private static String login(String user, String password) {
    return "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\""
        .formatted(user, password);
  }
}
