package io.seckill.sale;

import io.seckill.book.script.GateReply;
import io.seckill.book.script.GateReply.Seen;
import io.seckill.redis.ScriptCall;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.camel.Body;

/**
 * Answers for a product that is sold out without asking Redis. It is shut to everybody but those
 * who hold or held a reservation: they still go to Redis for their own answer. It shuts only while
 * no unit at all is left, and only after every buyer was loaded.
 *
 * <p>A gate is open again as soon as units come back or the sale changes, which scripts publish;
 * when a probe sees it; when the window ends; and when Redis was not heard for a while. Asking
 * takes memory only. Thread-safe.
 */
public final class SoldOutGate {
  /** Buyers one call of {@code gate} looks at, about. */
  private static final int PAGE = 5_000;

  /** Probes that may fail before a gate opens. */
  private static final int PROBES_MISSED = 5;

  private final long maxBuyers;
  private final long validNanos;
  private final LongSupplier nanoTime;
  private final Map<Long, Gate> gates = new ConcurrentHashMap<>();

  /**
   * @param probeMillis time between two looks at the books of products that are sold out
   * @param maxBuyers buyers, 8 bytes each, that are remembered of a product; beyond them its gate
   *     stays open
   * @param nanoTime a clock that only goes forward
   */
  public SoldOutGate(long probeMillis, long maxBuyers, LongSupplier nanoTime) {
    this.maxBuyers = maxBuyers;
    this.validNanos = TimeUnit.MILLISECONDS.toNanos(probeMillis) * PROBES_MISSED;
    this.nanoTime = nanoTime;
  }

  /** What must be the same for the buyers to be the same. */
  private record Stamp(
      long released, long restocked, long epoch, long maxQuantity, String state, Long endsAt) {
    static Stamp of(Seen book) {
      return new Stamp(
          book.released(),
          book.restocked(),
          book.epoch(),
          book.maxQuantity(),
          book.state(),
          book.endsAt());
    }
  }

  /**
   * @param cursor where loading the buyers goes on, empty once they are all there
   * @param buyers sorted once they are all there
   * @param shut whether it refuses; not before the buyers are there, and never where they are too
   *     many
   * @param openFrom when it opens unless a probe confirms it, by {@link #nanoTime}
   */
  private record Gate(Stamp stamp, String cursor, long[] buyers, boolean shut, long openFrom) {
    static final Gate SUSPECTED = new Gate(null, "0", new long[0], false, 0);
  }

  /**
   * Whether a purchase is refused here: sold out.
   *
   * @param quantity units asked for; more than a buyer may have is for Redis to refuse
   */
  public boolean refuses(long productId, long userId, int quantity) {
    Gate gate = gates.get(productId);
    return gate != null
        && gate.shut
        && nanoTime.getAsLong() - gate.openFrom < 0
        && quantity <= gate.stamp.maxQuantity
        && Arrays.binarySearch(gate.buyers, userId) < 0;
  }

  /** A script said that no unit is left: the gate shuts once the buyers are loaded. */
  public void soldOut(long productId) {
    gates.putIfAbsent(productId, Gate.SUSPECTED);
  }

  /** Units came back, or the sale changed. */
  public void open(long productId) {
    gates.remove(productId);
  }

  /** Calls of {@code gate}, one a product: a probe, or the next page of its buyers. */
  public List<ScriptCall> questions() {
    List<ScriptCall> calls = new ArrayList<>();
    gates.forEach(
        (product, gate) -> calls.add(ScriptCall.of(product, gate.cursor, Integer.toString(PAGE))));
    return calls;
  }

  /**
   * Takes the replies of {@code gate}.
   *
   * @param calls the {@link #questions()} they answer
   */
  public void take(@Body List<GateReply> replies, List<ScriptCall> calls) {
    for (int i = 0; i < replies.size(); i++) {
      GateReply reply = replies.get(i);
      String cursor = calls.get(i).arguments()[0];
      gates.computeIfPresent(
          calls.get(i).productId(), (product, gate) -> next(gate, cursor, reply));
    }
  }

  /** Whether buyers are still to be loaded. */
  public boolean isLoading() {
    return gates.values().stream().anyMatch(gate -> !gate.cursor.isEmpty());
  }

  /** Null when the gate is to be open. */
  private Gate next(Gate gate, String cursor, GateReply reply) {
    if (!gate.cursor.equals(cursor)) {
      return gate;
    }
    if (!(reply instanceof Seen book) || book.available() > 0 || !book.state().equals("OPEN")) {
      return null;
    }
    Stamp stamp = Stamp.of(book);
    if (gate.stamp != null && !gate.stamp.equals(stamp)) {
      return null;
    }
    long openFrom = openFrom(book.endsAt(), book.now());
    if (gate.cursor.isEmpty()) {
      return new Gate(stamp, "", gate.buyers, gate.shut, openFrom);
    }
    long[] buyers = plus(gate.buyers, book.fields());
    if (buyers.length > maxBuyers) {
      return new Gate(stamp, "", new long[0], false, 0);
    }
    if (!book.cursor().equals("0")) {
      return new Gate(stamp, book.cursor(), buyers, false, 0);
    }
    Arrays.sort(buyers);
    return new Gate(stamp, "", buyers, true, openFrom);
  }

  /** Not beyond the end of the window, which Redis's clock judges. */
  private long openFrom(Long endsAt, long now) {
    long nanos = validNanos;
    if (endsAt != null) {
      nanos = Math.min(nanos, TimeUnit.MILLISECONDS.toNanos(endsAt - now));
    }
    return nanoTime.getAsLong() + nanos;
  }

  private static long[] plus(long[] buyers, List<String> fields) {
    long[] all = Arrays.copyOf(buyers, buyers.length + fields.size());
    for (int i = 0; i < fields.size(); i++) {
      String field = fields.get(i);
      int end = field.indexOf('|');
      all[buyers.length + i] = Long.parseLong(end < 0 ? field : field.substring(0, end));
    }
    return all;
  }
}
