package io.seckill.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.seckill.redis.Book;
import io.seckill.redis.ScriptCall;
import io.seckill.redis.ScriptRunner;
import io.seckill.testing.Products;
import io.seckill.testing.TestApplication;
import io.seckill.testing.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
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
  private static final String ORDERS = "seckill.orders";

  private static KafkaProducer<String, byte[]> producer;

  final TestServers servers = TestServers.get();
  final long product;
  private final ScriptRunner scripts;
  private final OrderJson json = new OrderJson();

  private OrderFlow(TestApplication application, long product) {
    this.scripts = application.bean(ScriptRunner.class);
    this.product = product;
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
    flow.call("preheat", "1", Long.toString(stock), "5", "", "", "OPEN");
    return flow;
  }

  List<Object> call(String script, String... arguments) {
    return scripts.call(script, ScriptCall.of(product, arguments));
  }

  /** Reserves units, as the order API does: the outbox holds them. */
  OrderRecord reserve(long user, String key, int quantity) {
    OrderRecord order = order(user, key, quantity);
    List<Object> reply =
        call(
            "reserve",
            Long.toString(user),
            key,
            order.requestId(),
            Integer.toString(quantity),
            "0");
    assertThat(reply.get(0)).as("reserve").isEqualTo(1L);
    return order;
  }

  /** Reserves units without leaving anything in the outbox: the record is the test's to send. */
  OrderRecord reserveSilently(long user, String key) {
    OrderRecord order = reserve(user, key, 1);
    String outboxId = (String) lookup(order).get(7);
    // the relay may be faster: then the record is on its way already
    call("acknowledge", "relay", outboxId);
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
    send(order.recordKey(), json.write(order));
  }

  void send(String key, byte[] value) {
    try {
      producer().send(new ProducerRecord<>(ORDERS, key, value)).get();
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
      Properties properties = new Properties();
      properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, TestServers.get().brokers());
      producer = new KafkaProducer<>(properties, new StringSerializer(), new ByteArraySerializer());
    }
    return producer;
  }
}
