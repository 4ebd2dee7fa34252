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
 * Answers for sold-out products without asking Redis. A shut gate refuses everybody except users
 * who hold or held a reservation; these go to Redis for their own answer. A gate shuts only while
 * no unit is left, and only after all buyers are loaded.
 *
 * <p>A gate opens again when a script publishes that units came back or the sale changed, when a
 * probe sees such a change, when the window ends, and when Redis has not answered for a while. A
 * question reads memory only. Thread-safe.
 */
public final class SoldOutGate {
  /** About how many buyers one call of {@code gate} returns. */
  private static final int PAGE = 5_000;

  /** After so many failed probes a gate opens. */
  private static final int PROBES_MISSED = 5;

  private final long maxBuyers;
  private final long validNanos;
  private final LongSupplier nanoTime;
  private final Map<Long, Gate> gates = new ConcurrentHashMap<>();

  /**
   * @param probeMillis time between two probes of a sold-out product's book
   * @param maxBuyers largest number of buyers, at 8 bytes each, to remember for a product; with
   *     more its gate stays open
   * @param nanoTime a monotonic clock
   */
  public SoldOutGate(long probeMillis, long maxBuyers, LongSupplier nanoTime) {
    this.maxBuyers = maxBuyers;
    this.validNanos = TimeUnit.MILLISECONDS.toNanos(probeMillis) * PROBES_MISSED;
    this.nanoTime = nanoTime;
  }

  /** As long as this stays the same, the set of buyers does. */
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
   * @param cursor the position from which to load more buyers; empty when all are loaded
   * @param buyers sorted when all are loaded
   * @param shut whether the gate refuses; false until all buyers are loaded, and when they are too
   *     many
   * @param openFrom when the gate opens unless a probe confirms it, by {@link #nanoTime}
   */
  private record Gate(Stamp stamp, String cursor, long[] buyers, boolean shut, long openFrom) {
    static final Gate SUSPECTED = new Gate(null, "0", new long[0], false, 0);
  }

  /**
   * Whether to refuse a purchase as sold out.
   *
   * @param quantity units asked for; Redis refuses more than a buyer may have
   */
  public boolean refuses(long productId, long userId, int quantity) {
    Gate gate = gates.get(productId);
    return gate != null
        && gate.shut
        && nanoTime.getAsLong() - gate.openFrom < 0
        && quantity <= gate.stamp.maxQuantity
        && Arrays.binarySearch(gate.buyers, userId) < 0;
  }

  /** Takes a script's reply that no unit is left. The gate shuts once the buyers are loaded. */
  public void soldOut(long productId) {
    gates.putIfAbsent(productId, Gate.SUSPECTED);
  }

  /** Units came back, or the sale changed. */
  public void open(long productId) {
    gates.remove(productId);
  }

  /** Calls of {@code gate}, one for each product: a probe, or the next page of its buyers. */
  public List<ScriptCall> questions() {
    List<ScriptCall> calls = new ArrayList<>();
    gates.forEach(
        (product, gate) -> calls.add(ScriptCall.of(product, gate.cursor, Integer.toString(PAGE))));
    return calls;
  }

  /**
   * Takes the replies of {@code gate}.
   *
   * @param calls the {@link #questions()} that these replies answer
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

  /** The next state of a gate; null when it must be open. */
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

  /** At latest the end of the window, by Redis's clock. */
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
