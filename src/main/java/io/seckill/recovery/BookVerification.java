package io.seckill.recovery;

import io.seckill.book.Book;
import io.seckill.book.BookVerifier;
import io.seckill.domain.OrderJson;
import io.seckill.domain.OrderRecord;
import io.seckill.domain.UnreadableOrderException;
import io.seckill.kafka.Backlog;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.camel.CamelContext;
import org.apache.camel.CamelExecutionException;
import org.apache.camel.FluentProducerTemplate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has books judged by the routes of {@code book-verification.camel.yaml}, once this node's relay
 * has ended what it read before the Redis of another run was noticed: what MySQL knows then, and
 * what the writers have still to read from Kafka, is all that this node relayed before. The writers
 * themselves are not waited for: they may be gone, and Kafka learns of that late.
 *
 * <p>Used by one thread.
 */
public final class BookVerification implements BookVerifier, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BookVerification.class);

  private final OrderJson json = new OrderJson();
  private final CamelContext context;
  private final FluentProducerTemplate template;
  private final Supplier<Backlog> backlog;
  private final String topic;
  private final String group;
  private final String relay;
  private final Duration sendTimeout;

  /** When the relay has given up what it was sending; null when it has ended that. */
  private Long relayEndsNanos;

  /** From product to the highest outbox id that Kafka holds and the writers have not committed. */
  private final Map<Long, String> relayed = new HashMap<>();

  /**
   * @param backlog asked for at each use, so it may be bound later than this
   * @param topic of the orders
   * @param group of the writers
   * @param relay the route that sends what it has read from Redis
   * @param sendTimeout within which a record is in Kafka or will never be
   */
  public BookVerification(
      CamelContext context,
      Supplier<Backlog> backlog,
      String topic,
      String group,
      String relay,
      Duration sendTimeout) {
    this.context = context;
    this.template = context.createFluentProducerTemplate();
    this.backlog = backlog;
    this.topic = topic;
    this.group = group;
    this.relay = relay;
    this.sendTimeout = sendTimeout;
  }

  @Override
  public Collection<Long> products() {
    List<?> rows = template.to("direct:verification-sales").request(List.class);
    // records wait for a connection first, then for Kafka's acknowledgement
    relayEndsNanos = System.nanoTime() + 2 * sendTimeout.toNanos();
    return rows.stream()
        .map(row -> ((Number) ((Map<?, ?>) row).get("product_id")).longValue())
        .toList();
  }

  @Override
  public Verdict judge(long productId, Optional<Book> book) {
    if (isRelaying()) {
      return Verdict.unknown("orders that were read from Redis before are on their way to Kafka");
    }
    try {
      return template
          .withVariable("productId", productId)
          .withVariable("relayed", relayed.getOrDefault(productId, ""))
          .withBody(book)
          .to("direct:verify-book")
          .request(Verdict.class);
    } catch (CamelExecutionException e) {
      return Verdict.unknown("not known: " + e.getCause());
    }
  }

  private boolean isRelaying() {
    if (relayEndsNanos == null) {
      return false;
    }
    if (context.getInflightRepository().size(relay) > 0 && System.nanoTime() - relayEndsNanos < 0) {
      return true;
    }
    relayed.clear();
    backlog.get().read(topic, group, this::note);
    relayEndsNanos = null;
    return false;
  }

  private void note(byte[] value) {
    try {
      OrderRecord order = json.read(value);
      relayed.merge(
          order.productId(),
          order.outboxId(),
          (one, other) -> Book.compareOutboxIds(one, other) < 0 ? other : one);
    } catch (UnreadableOrderException e) {
      LOG.debug("No order, and none that MySQL will know: {}", e.getMessage());
    }
  }

  @Override
  public void close() {
    template.stop();
  }
}
