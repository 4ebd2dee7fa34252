package io.seckill.recovery;

import io.seckill.book.Book;
import io.seckill.book.BookVerifier;
import io.seckill.kafka.Barrier;
import io.seckill.kafka.ConsumerProgress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.camel.CamelContext;
import org.apache.camel.CamelExecutionException;
import org.apache.camel.FluentProducerTemplate;

/**
 * Has books judged by the routes of {@code book-verification.camel.yaml}, once the writers have
 * passed what lay in Kafka after the Redis of another run was noticed and this node's relay had
 * ended what it read before: what MySQL knows then is all that this node relayed before.
 *
 * <p>Used by one thread.
 */
public final class BookVerification implements BookVerifier, AutoCloseable {
  /** Kafka is not asked more often than this, however many sales there are to judge. */
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

  private final CamelContext context;
  private final FluentProducerTemplate template;
  private final Supplier<ConsumerProgress> progress;
  private final String topic;
  private final String group;
  private final String relay;
  private final Duration sendTimeout;

  /** When the relay has given up what it was sending; null when it has ended that. */
  private Long relayEndsNanos;

  private Barrier barrier;
  private long lookedNanos;

  /**
   * @param progress asked for at each use, so it may be bound later than this
   * @param topic of the orders
   * @param group of the writers
   * @param relay the route that sends what it has read from Redis
   * @param sendTimeout within which a record is in Kafka or will never be
   */
  public BookVerification(
      CamelContext context,
      Supplier<ConsumerProgress> progress,
      String topic,
      String group,
      String relay,
      Duration sendTimeout) {
    this.context = context;
    this.template = context.createFluentProducerTemplate();
    this.progress = progress;
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
    barrier = null;
    lookedNanos = System.nanoTime() - BETWEEN_LOOKS.toNanos();
    return rows.stream()
        .map(row -> ((Number) ((Map<?, ?>) row).get("product_id")).longValue())
        .toList();
  }

  @Override
  public Verdict judge(long productId, Optional<Book> book) {
    if (isRelaying()) {
      return Verdict.unknown("orders that were read from Redis before are on their way to Kafka");
    }
    if (!isDrained()) {
      return Verdict.unknown("Kafka holds orders that are not written yet");
    }
    try {
      return template
          .withVariable("productId", productId)
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
    barrier = progress.get().barrier(topic, group);
    relayEndsNanos = null;
    return false;
  }

  private boolean isDrained() {
    if (barrier == null) {
      return true;
    }
    if (System.nanoTime() - lookedNanos < BETWEEN_LOOKS.toNanos()) {
      return false;
    }
    if (progress.get().passed(barrier)) {
      barrier = null;
      return true;
    }
    lookedNanos = System.nanoTime();
    return false;
  }

  @Override
  public void close() throws Exception {
    template.stop();
  }
}
