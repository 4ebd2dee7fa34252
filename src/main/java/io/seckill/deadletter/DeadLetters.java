package io.seckill.deadletter;

import io.seckill.deadletter.DeadLetterRefusedException.Code;
import io.seckill.domain.DeadLetter;
import io.seckill.domain.OrderJson;
import io.seckill.domain.OrderRecord;
import io.seckill.domain.UnreadableOrderException;
import io.seckill.kafka.ReceivedRecord;
import java.util.List;
import org.apache.camel.Body;

/** Reads dead letters from Kafka and from MySQL. Stateless. */
public final class DeadLetters {
  /** Headers of a dead letter's record. */
  static final String SOURCE = "seckill-source";

  static final String CAUSE = "seckill-cause";
  static final String ATTEMPTS = "seckill-attempts";

  private static final String UNKNOWN = "unknown";
  private static final int MAX_SOURCE = 200;

  private final OrderJson json;

  public DeadLetters(OrderJson json) {
    this.json = json;
  }

  /** The dead letters of a polled batch. */
  public List<ArrivedDeadLetter> read(@Body List<ReceivedRecord> records) {
    return records.stream().map(this::arrived).toList();
  }

  private ArrivedDeadLetter arrived(ReceivedRecord received) {
    OrderRecord order = order(received.value());
    DeadLetter letter =
        new DeadLetter(
            order == null ? null : order.requestId(),
            received.value(),
            received.header(SOURCE).map(DeadLetters::printable).orElse(UNKNOWN),
            received.header(CAUSE).orElse(UNKNOWN),
            received
                .header(ATTEMPTS)
                .filter(text -> text.matches("[0-9]{1,9}"))
                .map(Integer::valueOf)
                .orElse(0));
    return new ArrivedDeadLetter(received.uniqueOrigin(), letter, order);
  }

  /**
   * Makes a text that MySQL's column accepts, so that another program's header does not prevent
   * keeping the dead letter.
   */
  private static String printable(String source) {
    String ascii = source.replaceAll("[^ -~]", "?");
    return ascii.length() <= MAX_SOURCE ? ascii : ascii.substring(0, MAX_SOURCE);
  }

  private OrderRecord order(byte[] value) {
    try {
      return json.read(value);
    } catch (UnreadableOrderException e) {
      return null;
    }
  }

  /**
   * Checks a dead letter that is to be compensated. Compensating it twice is allowed and changes
   * nothing.
   *
   * @param row a row of {@code sql/find-dead-letter.sql}; null when there is none
   * @throws DeadLetterRefusedException UNKNOWN_DEAD_LETTER, UNREADABLE
   */
  public KeptDeadLetter toCompensate(@Body DeadLetterRow row) {
    KeptDeadLetter kept = kept(row);
    if (kept.order() == null) {
      throw new DeadLetterRefusedException(
          Code.UNREADABLE, "This dead letter has no order to compensate.");
    }
    return kept;
  }

  /**
   * Checks a dead letter whose record is to be sent again.
   *
   * @param row a row of {@code sql/lock-dead-letter.sql}; null when there is none
   * @throws DeadLetterRefusedException UNKNOWN_DEAD_LETTER, ALREADY_COMPENSATED, ALREADY_CONFIRMED
   */
  public KeptDeadLetter toReplay(@Body DeadLetterRow row) {
    KeptDeadLetter kept = kept(row);
    if (kept.state() == DeadLetterState.COMPENSATED) {
      throw new DeadLetterRefusedException(
          Code.ALREADY_COMPENSATED, "This dead letter was compensated: its order has ended.");
    }
    if (kept.state() == DeadLetterState.CONFIRMED) {
      throw new DeadLetterRefusedException(
          Code.ALREADY_CONFIRMED, "The order of this dead letter is written: it is SUCCESS.");
    }
    return kept;
  }

  private KeptDeadLetter kept(DeadLetterRow row) {
    if (row == null) {
      throw new DeadLetterRefusedException(
          Code.UNKNOWN_DEAD_LETTER, "There is no such dead letter.");
    }
    return new KeptDeadLetter(
        row.id(), row.source(), row.payload(), row.state(), order(row.payload()));
  }
}
