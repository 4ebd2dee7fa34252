package io.seckill.recovery;

import io.seckill.book.Book;
import io.seckill.book.BookVerifier;
import io.seckill.domain.OrderJson;
import io.seckill.domain.UnreadableOrderException;
import io.seckill.kafka.Backlog;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.camel.CamelContext;
import org.apache.camel.CamelExecutionException;
import org.apache.camel.FluentProducerTemplate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges books with the routes of {@code book-verification.camel.yaml}. It first waits until this
 * node's relay has finished the entries that it read before the new run_id was noticed. MySQL, and
 * the records that the writers have not read yet, then contain everything that this node relayed
 * before. It does not wait for the writers: they may be gone, and Kafka notices that late.
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

  /** When the relay gives up the entries that it is sending; null when it has finished. */
  private Long relayEndsNanos;

  private Relayed relayed = new Relayed();

  /**
   * @param backlog supplies the backlog at each use, so that it may be bound later
   * @param topic topic of the orders
   * @param group consumer group of the writers
   * @param relay id of the relay's route
   * @param sendTimeout time after which a record is either in Kafka or will never be
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
    List<?> sales = template.to("direct:verification-sales").request(List.class);
    // records wait for a connection first, then for Kafka's acknowledgement
    relayEndsNanos = System.nanoTime() + 2 * sendTimeout.toNanos();
    return sales.stream().map(sale -> ((JudgedSale) sale).productId()).toList();
  }

  @Override
  public Verdict judge(long productId, Optional<Book> book) {
    if (isRelaying()) {
      return Verdict.unknown("orders of the earlier Redis are on their way to Kafka");
    }
    try {
      return template
          .withVariable("productId", productId)
          .withVariable("relayed", relayed)
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
    Relayed unread = new Relayed();
    backlog.get().read(topic, group, value -> note(unread, value));
    relayed = unread;
    relayEndsNanos = null;
    return false;
  }

  private void note(Relayed unread, byte[] value) {
    try {
      unread.add(json.read(value));
    } catch (UnreadableOrderException e) {
      LOG.debug("Unreadable record, which cannot become an order: {}", e.getMessage());
    }
  }

  @Override
  public void close() {
    template.stop();
  }
}
