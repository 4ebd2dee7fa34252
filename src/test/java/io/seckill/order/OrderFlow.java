package io.seckill.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.seckill.book.Book;
import io.seckill.book.BookKeys;
import io.seckill.domain.OrderJson;
import io.seckill.domain.OrderRecord;
import io.seckill.domain.RequestId;
import io.seckill.domain.Status;
import io.seckill.redis.BookScripts;
import io.seckill.redis.RedisUnavailableException;
import io.seckill.redis.ScriptCall;
import io.seckill.redis.ScriptRunner;
import io.seckill.testing.Products;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * One sale, as tests of the way behind the 202 reserve in it, send records of it and look at it.
 */
final class OrderFlow {
  private static KafkaProducer<String, byte[]> producer;

  final TestServers servers = TestServers.get();
  final long product;
  private final ScriptRunner scripts;
  private final String topic;
  private final OrderJson json = new OrderJson();

  private OrderFlow(TestApplication application, long product) {
    this.scripts = application.bean(ScriptRunner.class);
    this.product = product;
    this.topic = application.camelContext().resolvePropertyPlaceholders("{{seckill.orders.topic}}");
  }

  /** Opens a sale. */
  static OrderFlow sale(TestApplication application, long stock) {
    OrderFlow flow = new OrderFlow(application, Products.next());
    flow.servers.update(
        "INSERT INTO products (id, name, count, initial_stock, max_quantity, state, epoch,"
            + " preheated, created_at, updated_at) VALUES (?, 'Phone', ?, ?, 5, 'OPEN', 1, 1, 0, 0)",
        flow.product,
        stock,
        stock);
    eventually(() -> flow.call("preheat", "1", Long.toString(stock), "5", "", "", "OPEN"));
    return flow;
  }

  List<Object> call(String script, String... arguments) {
    return BookScripts.run(scripts, script, ScriptCall.of(product, arguments));
  }

  /** Reserves units, as the order API does: the outbox holds them. */
  OrderRecord reserve(long user, String key, int quantity) {
    OrderRecord order = order(user, key, quantity);
    List<Object> reply;
    try {
      reply = ask(order);
    } catch (RedisUnavailableException examining) {
      // after a restart of Redis the node looks at its books first
      reply = eventually(() -> ask(order));
    }
    assertThat(reply.get(0)).as("reserve").isEqualTo(1L);
    return order;
  }

  private List<Object> ask(OrderRecord order) {
    return call(
        "reserve",
        Long.toString(order.userId()),
        order.idemKey(),
        order.requestId(),
        Integer.toString(order.quantity()),
        "0");
  }

  /**
   * Reserves a unit in a way that leaves nothing in the outbox: the record is the test's to send.
   */
  OrderRecord reserveSilently(long user, String key) {
    OrderRecord order = order(user, key, 1);
    try {
      String script = Files.readString(Path.of("lua", "reserve.lua"));
      try (var client = RedisClient.create(servers.redisUri());
          var connection = client.connect()) {
        var commands = connection.sync();
        commands.multi();
        commands.eval(
            script,
            ScriptOutputType.MULTI,
            BookKeys.all(product),
            Long.toString(user),
            key,
            order.requestId(),
            "1",
            "0");
        commands.del(BookKeys.outbox(product));
        List<Object> reply = commands.exec().get(0);
        assertThat(reply.get(0)).as("reserve").isEqualTo(1L);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return order;
  }

  /** An order nobody reserved. */
  OrderRecord order(long user, String key, int quantity) {
    return new OrderRecord(
        OrderRecord.VERSION,
        RequestId.of(product, user, key).toString(),
        product,
        user,
        quantity,
        key,
        1,
        System.currentTimeMillis() + "-0",
        0);
  }

  private List<Object> lookup(OrderRecord order) {
    return call("lookup", Long.toString(order.userId()), order.idemKey(), "");
  }

  /** What the buyer is told, empty when the book does not know. */
  Optional<Status> status(OrderRecord order) {
    List<Object> reply = lookup(order);
    return (Long) reply.get(0) == 3
        ? Optional.of(Status.valueOf((String) reply.get(2)))
        : Optional.empty();
  }

  void awaitStatus(OrderRecord order, Status status) {
    await().until(() -> status(order).orElse(null), status::equals);
  }

  Book book() {
    return scripts.book(product).orElseThrow();
  }

  Map<String, Object> row(OrderRecord order) {
    List<Map<String, Object>> rows =
        servers.rows("SELECT * FROM seckill_orders WHERE request_id = ?", order.requestId());
    return rows.isEmpty() ? null : rows.get(0);
  }

  long orders(Status status) {
    return servers.number(
        "SELECT COUNT(*) FROM seckill_orders WHERE product_id = ? AND status = ?",
        product,
        status.name());
  }

  Map<String, Object> deadLetter(OrderRecord order) {
    List<Map<String, Object>> rows =
        servers.rows(
            "SELECT * FROM dead_letters WHERE request_id = ? ORDER BY id", order.requestId());
    return rows.isEmpty() ? null : rows.get(rows.size() - 1);
  }

  void send(OrderRecord order) {
    send(order.recordKey(), order);
  }

  /** Sends a record to the partition of a key. */
  void send(String key, OrderRecord order) {
    send(key, json.write(order));
  }

  /** Sends records so that one poll finds them. */
  void sendTogether(List<OrderRecord> orders) {
    Map<String, Object> properties = servers.kafkaClient();
    properties.put(ProducerConfig.LINGER_MS_CONFIG, 60_000);
    try (var together =
        new KafkaProducer<>(properties, new StringSerializer(), new ByteArraySerializer())) {
      for (OrderRecord order : orders) {
        together.send(new ProducerRecord<>(topic, 0, null, json.write(order)));
      }
      together.flush();
    }
  }

  void send(String key, byte[] value) {
    try {
      producer().send(new ProducerRecord<>(topic, key, value)).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  /** Nothing pending, nothing unsent, every unit accounted for (I1, I2 at rest). */
  void awaitRest() {
    await()
        .untilAsserted(
            () -> {
              Book book = book();
              assertThat(book.balanced()).as("balanced").isTrue();
              assertThat(book.outboxLength()).as("outbox").isZero();
              assertThat(book.pending()).as("pending").isZero();
              assertThat(book.sold())
                  .as("sold")
                  .isEqualTo(
                      servers.number(
                          "SELECT COALESCE(SUM(quantity), 0) FROM seckill_orders"
                              + " WHERE product_id = ? AND status = 'SUCCESS'",
                          product));
            });
  }

  static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofMillis(50));
  }

  /** Repeats what fails while a server comes up again. */
  static <T> T eventually(Supplier<T> action) {
    return await().ignoreExceptions().until(action::get, value -> true);
  }

  private static synchronized KafkaProducer<String, byte[]> producer() {
    if (producer == null) {
      producer =
          new KafkaProducer<>(
              TestServers.get().kafkaClient(), new StringSerializer(), new ByteArraySerializer());
    }
    return producer;
  }
}
