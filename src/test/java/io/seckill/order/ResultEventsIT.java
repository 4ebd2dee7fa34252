package io.seckill.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.seckill.domain.OrderJson;
import io.seckill.domain.OrderRecord;
import io.seckill.domain.RequestId;
import io.seckill.kafka.ConsumerProgress;
import io.seckill.testing.Products;
import io.seckill.testing.Shop;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.apache.camel.api.management.ManagedCamelContext;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** The topic of results, read as another system reads it. */
class ResultEventsIT {
  private static final String ORDERS = "seckill.orders.events";
  private static final String TOPIC = "seckill.results.events";

  /** By which the broker's clock and Redis's may differ; here they are of one machine. */
  private static final long CLOCKS_MILLIS = 100;

  private static final ObjectMapper JSON = new ObjectMapper();

  private static TestApplication application;
  private static Shop shop;
  private static Admin admin;
  private static KafkaConsumer<String, String> consumer;
  private static final List<ConsumerRecord<String, String>> received = new ArrayList<>();

  @BeforeAll
  static void start() {
    application =
        TestApplication.apart(
            "events", 11, Map.of("seckill.results", "on", "seckill.results.topic", TOPIC));
    shop = application.awaitReady().shop();
    admin = Admin.create(TestServers.get().kafkaClient());
    Map<String, Object> client = new HashMap<>(TestServers.get().kafkaClient());
    client.put(ConsumerConfig.GROUP_ID_CONFIG, "shipping");
    client.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    consumer = new KafkaConsumer<>(client, new StringDeserializer(), new StringDeserializer());
    consumer.subscribe(List.of(TOPIC));
  }

  @AfterAll
  static void stop() {
    consumer.close();
    admin.close();
    application.close();
  }

  /** All events of a request so far. */
  private static List<ConsumerRecord<String, String>> eventsOf(String requestId) {
    consumer.poll(Duration.ofMillis(200)).forEach(received::add);
    return received.stream()
        .filter(event -> requestId.equals(headers(event).get("ce_id")))
        .toList();
  }

  private static ConsumerRecord<String, String> awaitEvent(String requestId) {
    return await("the event of " + requestId)
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> eventsOf(requestId), events -> !events.isEmpty())
        .get(0);
  }

  private static Map<String, String> headers(ConsumerRecord<?, ?> event) {
    Map<String, String> headers = new TreeMap<>();
    event
        .headers()
        .forEach(
            header ->
                headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
    return headers;
  }

  @Test
  void shouldTellASuccess() throws Exception {
    long product = Products.next();
    shop.openSale(product, 10);
    String requestId = shop.buy(product, 7, "k1").requestId();

    ConsumerRecord<String, String> event = awaitEvent(requestId);

    assertThat(event.key()).isEqualTo(product + "-7");
    assertThat(headers(event))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "ce_specversion", "1.0",
                "ce_id", requestId,
                "ce_source", "/seckill",
                "ce_type", "io.seckill.order.success",
                "ce_subject", Long.toString(product),
                "content-type", "application/json"));
    JsonNode data = JSON.readTree(event.value());
    assertThat(data.fieldNames())
        .toIterable()
        .containsExactly(
            "requestId",
            "idemKey",
            "productId",
            "userId",
            "quantity",
            "status",
            "orderId",
            "reservedAt");
    assertThat(data.path("orderId").asLong())
        .isEqualTo(shop.result(7, "k1", product).json().path("orderId").asLong());
    assertThat(data.path("reservedAt").asLong()).isPositive();
  }

  @Test
  void shouldTellAFailure() throws Exception {
    long product = Products.next();
    shop.openSale(product, 10);
    awaitEvent(shop.buy(product, 7, "k1").requestId());
    // a second reservation of the same buyer, as a Redis that lost the first would give it
    OrderRecord other =
        new OrderRecord(
            OrderRecord.VERSION,
            RequestId.of(product, 7, "k2").toString(),
            product,
            7,
            1,
            "k2",
            1,
            System.currentTimeMillis() + "-0",
            0);
    send(other);

    ConsumerRecord<String, String> event = awaitEvent(other.requestId());

    assertThat(headers(event)).containsEntry("ce_type", "io.seckill.order.failed");
    JsonNode data = JSON.readTree(event.value());
    assertThat(data.path("status").asText()).isEqualTo("FAIL_DUPLICATE");
    assertThat(data.has("orderId")).isFalse();
  }

  private static void send(OrderRecord order) throws Exception {
    try (var producer =
        new KafkaProducer<>(
            TestServers.get().kafkaClient(), new StringSerializer(), new ByteArraySerializer())) {
      producer
          .send(new ProducerRecord<>(ORDERS, order.recordKey(), new OrderJson().write(order)))
          .get();
    }
  }

  /** What was decided in MySQL is told also when Kafka refused the event for a while. */
  @Test
  void shouldTellLaterWhatKafkaDidNotTake() throws Exception {
    long product = Products.next();
    shop.openSale(product, 10);
    String before = shop.buy(product, 1, "k").requestId();
    awaitEvent(before);

    limit("1");
    String requestId = shop.buy(product, 7, "k1").requestId();
    assertThat(shop.awaitEnd(7, requestId)).isEqualTo("SUCCESS");
    assertThat(lag()).isPositive();
    assertThat(eventsOf(requestId)).isEmpty();

    limit("1048588");

    awaitEvent(requestId);
    await().atMost(60, TimeUnit.SECONDS).until(() -> lag() == 0);
  }

  @Test
  void shouldTellTheLifeOfASale() throws Exception {
    long product = Products.next();
    shop.openSale(product, 1);
    ConsumerRecord<String, String> opened = awaitEvent(product + "-opened-0");
    assertThat(opened.key()).isEqualTo(Long.toString(product));
    assertThat(headers(opened))
        .containsEntry("ce_type", "io.seckill.sale.opened")
        .containsEntry("ce_subject", Long.toString(product));
    assertThat(JSON.readTree(opened.value()).path("units").asLong()).isEqualTo(1);

    shop.buy(product, 1, "k");
    awaitEvent(product + "-sold-out-1");
    shop.admin("POST", "/admin/sales/" + product + "/restock", Map.of("units", 2), "more");
    shop.buyOnceOpen(product, 2, "k");
    shop.buyOnceOpen(product, 3, "k");
    assertThat(headers(awaitEvent(product + "-sold-out-3")))
        .containsEntry("ce_type", "io.seckill.sale.sold-out");

    shop.awaitRest(product);
    shop.admin("POST", "/admin/sales/" + product + "/end", Map.of());
    assertThat(shop.admin("POST", "/admin/sales/" + product + "/settle", Map.of()).status())
        .isEqualTo(200);
    assertThat(headers(awaitEvent(product + "-settled-0")))
        .containsEntry("ce_type", "io.seckill.sale.settled");
    assertThat(headers(awaitEvent(product + "-ended-0")))
        .containsEntry("ce_type", "io.seckill.sale.ended");
    assertThat(idsAbout(product))
        .containsExactly(
            product + "-opened-0",
            product + "-sold-out-1",
            product + "-sold-out-3",
            product + "-ended-0",
            product + "-settled-0");
  }

  /** The ids of what was told of a sale, in the order of the topic. */
  private static List<String> idsAbout(long product) {
    return received.stream()
        .filter(event -> event.key().equals(Long.toString(product)))
        .map(event -> headers(event).get("ce_id"))
        .toList();
  }

  /** The window of a sale opens without any call. */
  @Test
  void shouldTellThatAWindowHasOpened() {
    long product = Products.next();
    long startsAt = System.currentTimeMillis() + 3_000;
    shop.createSale(
        product,
        Map.of("name", "later", "stock", 1, "startsAt", Instant.ofEpochMilli(startsAt).toString()));

    ConsumerRecord<String, String> opened = awaitEvent(product + "-opened-" + startsAt);

    assertThat(opened.timestamp()).isGreaterThanOrEqualTo(startsAt - CLOCKS_MILLIS);
  }

  /** A node that dies after Kafka took the event, and before MySQL noted it, leaves no note. */
  @Test
  void shouldTellAgainWhatWasSentAndNotNoted() throws Exception {
    long product = Products.next();
    shop.openSale(product, 1);
    awaitEvent(product + "-opened-0");
    await("the note").atMost(60, TimeUnit.SECONDS).until(() -> forget(product) == 1);

    await("the same event again")
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> eventsOf(product + "-opened-0").size() == 2);
  }

  /** What Kafka does not take is not noted as told. */
  @Test
  void shouldNoteNothingThatKafkaDidNotTake() throws Exception {
    long product = Products.next();
    limit("1");
    try {
      shop.openSale(product, 1);
      await("an attempt that failed")
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> failures("sale-milestones-tell") > 0);
      assertThat(notes(product)).isZero();
    } finally {
      limit("1048588");
    }

    awaitEvent(product + "-opened-0");
    await("the note").atMost(60, TimeUnit.SECONDS).until(() -> notes(product) == 1);
  }

  private static long failures(String route) throws Exception {
    return application
        .camelContext()
        .getCamelContextExtension()
        .getContextPlugin(ManagedCamelContext.class)
        .getManagedRoute(route)
        .getExchangesFailed();
  }

  private static int notes(long product) {
    return mysql()
        .queryForObject(
            "SELECT COUNT(*) FROM sale_milestones WHERE product_id = ?", Integer.class, product);
  }

  private static int forget(long product) {
    return mysql().update("DELETE FROM sale_milestones WHERE product_id = ?", product);
  }

  private static JdbcTemplate mysql() {
    return new JdbcTemplate(application.bean(DataSource.class));
  }

  /** Records whose offset the writer has not committed. */
  private static long lag() {
    return application.bean(ConsumerProgress.class).consumed(ORDERS, "seckill-writer-events").lag();
  }

  private static void limit(String maxBytes) throws Exception {
    admin
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, TOPIC),
                List.of(
                    new AlterConfigOp(
                        new ConfigEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, maxBytes),
                        AlterConfigOp.OpType.SET))))
        .all()
        .get();
  }
}
