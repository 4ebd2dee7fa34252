package io.seckill.drill.fault;

import java.util.List;

/**
 * The windows between two steps in which a crash could lose or double something. Each lists the
 * points at which a drill ends or stalls the application inside it, or the fault that opens it from
 * outside.
 */
public enum Window {
  REPLY_LOST(
      "script done, reply lost",
      "the key's reservation is in the script: the original answer",
      List.of("order-api/reserve-unit:after"),
      List.of("redis-half-open")),
  KAFKA_NOT_REACHED(
      "script done, Kafka not reached",
      "the outbox entry is written by the same script; the relay sends it",
      List.of("outbox-relay/publish-orders:before"),
      List.of("kafka-kill")),
  NOT_ACKNOWLEDGED(
      "Kafka acked, entry not acked",
      "uk_request; acknowledge and delete only after acks=all, in one script",
      List.of("outbox-relay/publish-orders:after", "outbox-relay/acknowledge-entries:before"),
      List.of()),
  RELAY_HOLDS_ENTRIES(
      "relay dies or hangs holding entries",
      "claimed again after an idle time",
      List.of("outbox-relay/publish-orders:before"),
      List.of("relay-hangs")),
  RELAY_WAKES_AFTER_REBUILD(
      "hung relay wakes after a rebuild",
      "the entry's old epoch: tombstoned",
      List.of(),
      List.of("relay-wakes-after-rebuild")),
  RELAY_WAKES_IN_OLDER_COPY(
      "relay sleeps, Redis comes back without what it read, and sells",
      "the entry's old epoch, and the book that does not hold it: tombstoned",
      List.of(),
      List.of("relay-wakes-in-older-copy", "node-sleeps-while-redis-goes-back")),
  ZOMBIE_CONSUMER(
      "Kafka rebalance, zombie consumer",
      "uk_request; offsets committed after the database commit",
      List.of("order-writer/write-batch:before"),
      List.of("second-node", "app-pause-long", "writer-hangs-commit-offsets-before")),
  COMMIT_UNKNOWN(
      "COMMIT's outcome unknown",
      "run again; uk_request and attempt answer",
      List.of(),
      List.of("mysql-cut-before-commit", "mysql-cut-after-commit")),
  NOT_CONFIRMED(
      "database committed, confirm.lua not run",
      "redelivery runs it; the sweeper for the old",
      List.of(
          "order-writer-transaction/one-transaction:after",
          "order-writer-outcomes/confirm-orders:before"),
      List.of()),
  OFFSET_NOT_COMMITTED(
      "confirm.lua run, offset not committed",
      "redelivery changes nothing",
      List.of("order-writer/commit-offsets:before"),
      List.of()),
  DEAD_LETTER_NOT_WRITTEN(
      "dead letter not written, offset committed",
      "offset committed only after the dead letter is acked",
      List.of(
          "dead-letter-send/publish-dead-letter:before",
          "dead-letter-send/publish-dead-letter:after"),
      List.of()),
  NOT_RELEASED(
      "tombstone written, release.lua not run",
      "the message is redelivered; release is guarded",
      List.of(
          "compensation-transaction/tombstone-transaction:after",
          "order-writer-outcomes/release-units:before",
          "compensation-order/close-dead-letter:before"),
      List.of()),
  LATE_MESSAGE(
      "late message after compensation",
      "the tombstone holds uk_request",
      List.of(),
      List.of("dead-letters-first", "messages-ten-times")),
  REDIS_OLDER_THAN_KAFKA(
      "Redis loses what Kafka already has",
      "run_id and outbox id show it: admission stops until rebuilt; strategy B's conditional update; uk_pu",
      List.of(),
      List.of("redis-older-copy", "redis-flushed")),
  REDIS_LACKS_ENDS(
      "Redis comes back with all but the ends of reservations",
      "the book is adopted only after it has got all ends that MySQL has",
      List.of(),
      List.of("redis-lacks-ends")),
  REDIS_LOSES_ALONE(
      "Redis loses what Kafka has not",
      "Redis durability is a documented choice",
      List.of(),
      List.of("redis-flushed-before-relay"));

  private final String between;
  private final String closedBy;
  private final List<String> points;
  private final List<String> faults;

  Window(String between, String closedBy, List<String> points, List<String> faults) {
    this.between = between;
    this.closedBy = closedBy;
    this.points = points;
    this.faults = faults;
  }

  public String between() {
    return between;
  }

  public String closedBy() {
    return closedBy;
  }

  /** Crash points inside the window, {@code route-id/node-id:before} or {@code :after}. */
  public List<String> points() {
    return points;
  }

  /** Names of faults that open the window from outside. */
  public List<String> faults() {
    return faults;
  }
}
