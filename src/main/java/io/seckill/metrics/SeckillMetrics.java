package io.seckill.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The application's counters, under the names {@code seckill_*} of {@code /observe/metrics}. All
 * meters are registered at the start, so that counting is cheap and a dashboard finds each name
 * before its first event. Labels never contain products or users, so their number is bounded.
 *
 * <p>Thread-safe; no method blocks, and unknown values are no error.
 */
public final class SeckillMetrics {
  /** The label of a code that is not in {@link #REFUSALS}. */
  public static final String OTHER = "OTHER";

  /** The codes of the HTTP contract that {@link #refused(String)} counts separately. */
  public static final List<String> REFUSALS =
      List.of(
          "FAIL_SOLD_OUT",
          "FAIL_DUPLICATE",
          "FAIL_NOT_STARTED",
          "FAIL_ENDED",
          "FAIL_PAUSED",
          "FAIL_LIMIT",
          "KEY_REUSED",
          "THROTTLED",
          "DEGRADED",
          "UNKNOWN_PRODUCT",
          "INVALID_REQUEST",
          "UNAUTHENTICATED",
          "INTERNAL_ERROR",
          OTHER);

  private final SaleCounts sales = new SaleCounts();
  private final Counter admitted;
  private final Counter replayed;
  private final MeterRegistry registry;
  private final Map<String, Counter> refused = new ConcurrentHashMap<>();
  private final Map<String, Counter> throttled;
  private final Map<String, Counter> tokens;
  private final Counter wrongAdminTokens;
  private final Counter relayed;
  private final Map<String, Counter> ended;
  private final Timer latency;
  private final Counter batchRetries;
  private final Counter deadLettered;
  private final Map<String, Counter> deadLettersClosed;
  private final Map<String, Counter> compensated;
  private final Map<String, Counter> swept;
  private final Counter writtenOff;

  public SeckillMetrics(MeterRegistry registry) {
    admitted =
        counter(registry, "seckill.admitted", "Reservations answered 202 for the first time");
    replayed =
        counter(
            registry,
            "seckill.replayed",
            "Requests answered with an earlier reservation of the same key");
    this.registry = registry;
    REFUSALS.forEach(this::tellApart);
    throttled =
        counters(
            registry,
            "seckill.throttled",
            "Requests to buy refused as THROTTLED, by the limit that refused",
            "limit",
            List.of("address", "user", "product", "activity", OTHER));
    tokens =
        counters(
            registry,
            "seckill.tokens",
            "Tokens of buyers, by result: remembered, verified, or refused as expired, invalid, malformed, or because too many waited",
            "outcome",
            List.of("REMEMBERED", "VERIFIED", "EXPIRED", "INVALID", "MALFORMED", "BUSY", OTHER));
    wrongAdminTokens =
        counter(
            registry,
            "seckill.admin.wrong.tokens",
            "Administrative calls refused for a wrong token");
    relayed = counter(registry, "seckill.relayed", "Outbox entries that Kafka acknowledged");
    ended =
        counters(
            registry,
            "seckill.orders",
            "Reservations that reached a terminal status, by status",
            "status",
            List.of("SUCCESS", "FAIL_SOLD_OUT", "FAIL_DUPLICATE", "FAIL_SYSTEM", OTHER));
    latency =
        Timer.builder("seckill.order.latency")
            .description(
                "Time from the reservation to SUCCESS, by the clocks of Redis and this node")
            .publishPercentileHistogram()
            .minimumExpectedValue(Duration.ofMillis(1))
            .maximumExpectedValue(Duration.ofMinutes(5))
            .register(registry);
    batchRetries =
        counter(
            registry,
            "seckill.writer.retries",
            "Batches tried again: the database was away, a deadlock or a lock wait");
    deadLettered = counter(registry, "seckill.dead.letters", "Records sent to the dead letters");
    deadLettersClosed =
        counters(
            registry,
            "seckill.dead.letters.closed",
            "Dead letters that left PARKED, by how",
            "how",
            List.of("COMPENSATED", "CONFIRMED", "REPLAYED", "UNREADABLE", OTHER));
    compensated =
        counters(
            registry,
            "seckill.compensations",
            "Compensations run, by what the read-back showed",
            "outcome",
            List.of("RELEASED", "CONFIRMED", OTHER));
    swept =
        counters(
            registry,
            "seckill.sweeper.actions",
            "What the sweeper did with overdue reservations",
            "action",
            List.of("CONFIRMED", "RESENT", "COMPENSATED", OTHER));
    writtenOff =
        counter(
            registry,
            "seckill.written.off",
            "Reservations written off because MySQL held no unit for them");
  }

  private static Counter counter(
      MeterRegistry registry, String name, String description, String... tags) {
    return Counter.builder(name).description(description).tags(tags).register(registry);
  }

  private static Map<String, Counter> counters(
      MeterRegistry registry, String name, String description, String tag, List<String> values) {
    return values.stream()
        .collect(
            Collectors.toUnmodifiableMap(
                Function.identity(), value -> counter(registry, name, description, tag, value)));
  }

  private static Counter of(Map<String, Counter> counters, String value) {
    Counter counter = value == null ? null : counters.get(value);
    return counter == null ? counters.get(OTHER) : counter;
  }

  /** The counts by product, while somebody watches. */
  public SaleCounts sales() {
    return sales;
  }

  /** One reservation was made and answered 202. */
  public void admitted(long productId) {
    admitted.increment();
    sales.admitted(productId);
  }

  /** A key was asked again and got its earlier answer. */
  public void replayed(long productId) {
    replayed.increment();
    sales.replayed(productId);
  }

  /** As {@link #refused(String)}, where the product is known. */
  public void refused(String code, long productId) {
    refused(code);
    sales.refused(code, productId);
  }

  /**
   * A request to buy was refused.
   *
   * @param code the problem's code; an unknown one counts as {@link #OTHER}
   */
  public void refused(String code) {
    of(refused, code).increment();
  }

  /** From now on counts refusals with this code of a team's own separately. */
  public void tellApart(String code) {
    refused.computeIfAbsent(
        code,
        reason ->
            counter(
                registry, "seckill.refused", "Refused requests to buy, by code", "reason", reason));
  }

  /**
   * A request to buy was refused as THROTTLED. Call {@link #refused} as well.
   *
   * @param limit the name of the limit; an unknown one counts as {@link #OTHER}
   */
  public void throttled(String limit) {
    of(throttled, limit).increment();
  }

  /**
   * A token was checked.
   *
   * @param outcome REMEMBERED, VERIFIED, EXPIRED, INVALID, MALFORMED or BUSY
   */
  public void token(String outcome) {
    of(tokens, outcome).increment();
  }

  /** An administrative call showed a wrong token. */
  public void wrongAdminToken() {
    wrongAdminTokens.increment();
  }

  /** Kafka acknowledged this many outbox entries. */
  public void relayed(int entries) {
    relayed.increment(entries);
  }

  /**
   * This many reservations reached a terminal status.
   *
   * @param status SUCCESS, FAIL_SOLD_OUT, FAIL_DUPLICATE or FAIL_SYSTEM
   */
  public void ended(String status, long reservations) {
    of(ended, status).increment(reservations);
  }

  /**
   * A reservation became an order.
   *
   * @param reservedAtMillis time of the reservation by Redis's clock, from the outbox id
   * @param nowMillis this node's clock; when it is behind Redis's, the latency counts as 0
   */
  public void confirmed(long reservedAtMillis, long nowMillis) {
    latency.record(Duration.ofMillis(Math.max(0, nowMillis - reservedAtMillis)));
  }

  /** A batch of the writer is tried again because MySQL could not take it. */
  public void batchRetried() {
    batchRetries.increment();
  }

  /** A record went to the dead letters. */
  public void deadLettered() {
    deadLettered.increment();
  }

  /**
   * A dead letter was settled.
   *
   * @param how COMPENSATED, CONFIRMED, REPLAYED or UNREADABLE
   */
  public void deadLetterClosed(String how) {
    of(deadLettersClosed, how).increment();
  }

  /**
   * A compensation ran.
   *
   * @param outcome RELEASED (the read-back showed a FAIL row) or CONFIRMED (it showed SUCCESS)
   */
  public void compensated(String outcome) {
    of(compensated, outcome).increment();
  }

  /**
   * The sweeper acted on overdue reservations.
   *
   * @param action CONFIRMED, RESENT or COMPENSATED
   */
  public void swept(String action, long reservations) {
    of(swept, action).increment(reservations);
  }

  /** Reservations were written off: MySQL held no unit for them. */
  public void writtenOff(long reservations) {
    writtenOff.increment(reservations);
  }

  /** Outbox entries that Kafka acknowledged since the start. */
  public long relayedSoFar() {
    return (long) relayed.count();
  }

  /** Reservations that reached a terminal status by this node's doing since the start. */
  public long endedSoFar() {
    return (long) ended.values().stream().mapToDouble(Counter::count).sum();
  }

  /**
   * Times from reservation to SUCCESS since the start, as a histogram: for each upper bound in ms
   * the number of orders that took no longer. Bounds below which there is none are left out.
   */
  public SortedMap<Double, Long> latencies() {
    SortedMap<Double, Long> buckets = new TreeMap<>();
    for (CountAtBucket bucket : latency.takeSnapshot().histogramCounts()) {
      if (bucket.count() > 0) {
        buckets.put(bucket.bucket(TimeUnit.MILLISECONDS), (long) bucket.count());
      }
    }
    return buckets;
  }
}
