package io.seckill.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What the flow counts, under the names {@code seckill_*} of {@code /observe/metrics}. Every meter
 * is registered when the application starts, so a count costs one adder and a dashboard finds each
 * name before its first event. Names carry no product and no user: their number is bounded.
 *
 * <p>Thread-safe; no method blocks or throws for a value it does not know.
 */
public final class SeckillMetrics {
  /** The label of a refusal whose code is none of {@link #REFUSALS}. */
  public static final String OTHER = "OTHER";

  /** The codes of the HTTP contract that {@link #refused(String)} tells apart. */
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

  private final Counter admitted;
  private final Counter replayed;
  private final MeterRegistry registry;
  private final Map<String, Counter> refused = new ConcurrentHashMap<>();
  private final Map<String, Counter> throttled;
  private final Map<String, Counter> tokens;
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
            "Tokens that were to tell who asks, by what was found: remembered or verified, or refused as expired,"
                + " not valid, malformed, or because too many others waited",
            "outcome",
            List.of("REMEMBERED", "VERIFIED", "EXPIRED", "INVALID", "MALFORMED", "BUSY", OTHER));
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
            "Batches tried again: the database away, a deadlock or a lock wait");
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

  /** One reservation was made and answered 202. */
  public void admitted() {
    admitted.increment();
  }

  /** A key was asked again and got its earlier answer. */
  public void replayed() {
    replayed.increment();
  }

  /**
   * A request to buy was refused.
   *
   * @param code the problem's code; one that is not told apart counts as {@link #OTHER}
   */
  public void refused(String code) {
    of(refused, code).increment();
  }

  /** Refusals with this code of a team's own are counted by it from now on. */
  public void tellApart(String code) {
    refused.computeIfAbsent(
        code,
        reason ->
            counter(
                registry, "seckill.refused", "Refused requests to buy, by code", "reason", reason));
  }

  /**
   * A request to buy was refused as THROTTLED, which is counted beside {@link #refused}.
   *
   * @param limit the name of the limit; an unknown one counts as {@link #OTHER}
   */
  public void throttled(String limit) {
    of(throttled, limit).increment();
  }

  /**
   * A token was judged.
   *
   * @param outcome REMEMBERED, VERIFIED, EXPIRED, INVALID, MALFORMED or BUSY
   */
  public void token(String outcome) {
    of(tokens, outcome).increment();
  }

  /** Kafka acknowledged so many outbox entries. */
  public void relayed(int entries) {
    relayed.increment(entries);
  }

  /**
   * So many reservations reached a terminal status.
   *
   * @param status SUCCESS, FAIL_SOLD_OUT, FAIL_DUPLICATE or FAIL_SYSTEM
   */
  public void ended(String status, long reservations) {
    of(ended, status).increment(reservations);
  }

  /**
   * A reservation became an order.
   *
   * @param reservedAtMillis when the script reserved: the milliseconds of the outbox id, by Redis's
   *     clock
   * @param nowMillis this node's clock; a clock behind Redis's counts as no time
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
}
