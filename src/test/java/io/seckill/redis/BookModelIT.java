package io.seckill.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import io.seckill.book.Book;
import io.seckill.book.BookKeys;
import io.seckill.testing.Products;
import io.seckill.testing.TestServers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import net.jqwik.api.state.Action;
import net.jqwik.api.state.ActionChain;
import net.jqwik.api.state.Transformer;

/**
 * Random runs of all scripts that change a book, duplicates and late ones included, against a model
 * in plain Java: after each step every reply, every number of the book, every reservation and the
 * outbox agree, and the book balances.
 */
class BookModelIT {
  private static final int USERS = 4;
  private static final List<String> KEYS = List.of("a", "b", "c");
  private static Redis.Node node;

  @BeforeContainer
  static void connect() throws InterruptedException {
    node = Redis.node().ready();
  }

  @AfterContainer
  static void disconnect() {
    node.close();
  }

  @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
  void shouldKeepTheBookAsTheModelSays(@ForAll("runs") ActionChain<Sale> run) {
    run.run();
  }

  @Provide
  Arbitrary<ActionChain<Sale>> runs() {
    Arbitrary<Long> users = Arbitraries.longs().between(1, USERS);
    Arbitrary<String> keys = Arbitraries.of(KEYS);
    Arbitrary<Integer> quantities = Arbitraries.integers().between(1, 4);
    return ActionChain.startWith(Sale::new)
        .withAction(
            8,
            action(
                Combinators.combine(users, keys, quantities)
                    .as((user, key, n) -> step("reserve", sale -> sale.reserve(user, key, n)))))
        .withAction(
            4,
            action(
                Combinators.combine(users, keys, quantities)
                    .as((user, key, n) -> step("confirm", sale -> sale.confirm(user, key, n)))))
        .withAction(
            3,
            action(
                Combinators.combine(users, keys)
                    .as((user, key) -> step("release", sale -> sale.release(user, key)))))
        .withAction(
            2,
            action(
                Combinators.combine(users, keys)
                    .as((user, key) -> step("write off", sale -> sale.writeOff(user, key)))))
        .withAction(
            2,
            action(
                Combinators.combine(users, keys)
                    .as((user, key) -> step("resend", sale -> sale.resend(user, key)))))
        .withAction(
            3,
            action(Arbitraries.integers().between(0, 5).map(n -> step("relay", s -> s.relay(n)))))
        .withAction(
            1,
            action(Arbitraries.longs().between(0, 12).map(n -> step("restock", s -> s.restock(n)))))
        .withAction(
            1,
            action(
                Arbitraries.of("OPEN", "OPEN", "PAUSED", "ENDED")
                    .map(state -> step(state, sale -> sale.become(state)))))
        .withAction(
            1,
            action(
                Combinators.combine(
                        Arbitraries.longs().between(1, 8), Arbitraries.integers().between(1, 3))
                    .as((stock, max) -> step("preheat", sale -> sale.preheat(stock, max)))))
        .withAction(1, action(Arbitraries.just(step("settle", Sale::settle))))
        .withMaxTransformations(60);
  }

  private static Action.Independent<Sale> action(Arbitrary<Transformer<Sale>> steps) {
    return () -> steps;
  }

  private interface Step {
    void on(Sale sale);
  }

  private static Transformer<Sale> step(String name, Step step) {
    return Transformer.mutate(
        name,
        sale -> {
          step.on(sale);
          sale.check();
        });
  }

  /** A reservation as the model knows it. */
  private static final class Reservation {
    private final long user;
    private final String key;
    private int quantity;
    private String status = "PENDING";
    private String orderId = "";
    private int resent;
    private boolean inOutbox = true;

    private Reservation(long user, String key, int quantity) {
      this.user = user;
      this.key = key;
      this.quantity = quantity;
    }
  }

  /** A book in Redis and its model. */
  static final class Sale {
    private final BookScripts book = new BookScripts(node.scripts, Products.next());
    private final Map<Long, Reservation> live = new TreeMap<>();
    private final Map<String, Reservation> failed = new HashMap<>();
    private long initial = 5;
    private long restocked;
    private long available = 5;
    private long pending;
    private long sold;
    private long writtenOff;
    private long released;
    private int maxQuantity = 2;
    private String state = "OPEN";
    private long moves = 1;
    private long nextOrder = 1;

    Sale() {
      book.preheat(initial, maxQuantity);
    }

    void reserve(long user, String key, int quantity) {
      Reservation known = known(user, key);
      List<Object> expected;
      if (known != null && known.quantity != quantity) {
        expected = List.of(4L, (long) known.quantity);
      } else if (known != null) {
        expected =
            List.of(3L, book.requestId(user, key), known.status, known.orderId, reason(known));
      } else if (live.containsKey(user)) {
        String liveKey = live.get(user).key;
        expected = List.of(2L, book.requestId(user, liveKey), liveKey);
      } else if (state.equals("ENDED")) {
        expected = List.of(6L, "");
      } else if (state.equals("PAUSED")) {
        expected = List.of(7L);
      } else if (quantity > maxQuantity) {
        expected = List.of(8L, (long) maxQuantity);
      } else if (quantity > available) {
        expected = List.of(0L, available, moves);
      } else {
        live.put(user, new Reservation(user, key, quantity));
        available -= quantity;
        pending += quantity;
        moves++;
        expected = List.of(1L, book.requestId(user, key), available);
      }
      assertThat(book.reserve(user, key, quantity)).isEqualTo(expected);
    }

    void confirm(long user, String key, int quantity) {
      Reservation reservation = live(user, key);
      List<Object> expected = List.of(1L, 0L, 0L, 1L, 0L);
      long orderId = nextOrder++;
      if (reservation != null && !reservation.status.equals("PENDING")) {
        expected = List.of(1L, 0L, 1L, 0L, 0L);
      } else if (reservation != null) {
        long sell = Math.min(quantity, reservation.quantity + available);
        pending -= reservation.quantity;
        available += reservation.quantity - sell;
        sold += sell;
        moves++;
        reservation.status = "SUCCESS";
        reservation.orderId = Long.toString(orderId);
        reservation.quantity = (int) sell;
        expected = List.of(1L, 1L, 0L, 0L, quantity - sell);
      }
      assertThat(book.confirm(user, key, orderId, quantity)).isEqualTo(expected);
    }

    void release(long user, String key) {
      Reservation reservation = live(user, key);
      List<Object> expected = fail(reservation, user, key, "FAIL_SYSTEM");
      if (expected == null) {
        available += reservation.quantity;
        released += reservation.quantity;
        expected = List.of(1L, 1L, 0L, 0L, available);
      }
      assertThat(book.release(user, key)).isEqualTo(expected);
    }

    void writeOff(long user, String key) {
      Reservation reservation = live(user, key);
      List<Object> expected = fail(reservation, user, key, "FAIL_SOLD_OUT");
      if (expected == null) {
        writtenOff += reservation.quantity;
        expected = List.of(1L, 1L, 0L, 0L, available);
      }
      assertThat(book.writeOff(user, key)).isEqualTo(expected);
    }

    /** Null when the reservation was pending and has failed now. */
    private List<Object> fail(Reservation reservation, long user, String key, String status) {
      if (reservation == null) {
        Reservation unknown = new Reservation(user, key, 1);
        unknown.status = status;
        unknown.inOutbox = false;
        if (failed.putIfAbsent(user + "|" + key, unknown) == null) {
          moves++;
          released += status.equals("FAIL_SYSTEM") ? 1 : 0;
        }
        return List.of(1L, 0L, 0L, 1L, available);
      }
      if (!reservation.status.equals("PENDING")) {
        return List.of(1L, 0L, 1L, 0L, available);
      }
      reservation.status = status;
      live.remove(reservation.user);
      failed.put(reservation.user + "|" + reservation.key, reservation);
      pending -= reservation.quantity;
      moves++;
      return null;
    }

    void resend(long user, String key) {
      Reservation reservation = live(user, key);
      List<Object> reply = book.run("resend", book.requestId(user, key));
      if (reservation == null || !reservation.status.equals("PENDING")) {
        assertThat(reply).isEqualTo(List.of(0L));
      } else if (reservation.inOutbox) {
        assertThat(reply).isEqualTo(List.of(2L, book.lookup(user, key).get(7)));
      } else {
        reservation.resent++;
        reservation.inOutbox = true;
        moves++;
        assertThat(reply)
            .isEqualTo(List.of(1L, book.lookup(user, key).get(7), (long) reservation.resent));
      }
    }

    /** Kafka has the first entries of the outbox. */
    void relay(int entries) {
      List<StreamMessage<String, String>> first = outbox();
      first = first.subList(0, Math.min(entries, first.size()));
      List<Object> arguments = new ArrayList<>(List.of("relay", "1-1"));
      for (StreamMessage<String, String> entry : first) {
        arguments.add(entry.getId());
        sent(entry.getBody().get("requestId"));
      }
      assertThat(book.run("acknowledge", arguments.toArray()))
          .isEqualTo(List.of(1L, (long) first.size()));
    }

    private void sent(String requestId) {
      for (Reservation reservation : all()) {
        if (book.requestId(reservation.user, reservation.key).equals(requestId)) {
          reservation.inOutbox = false;
        }
      }
    }

    void restock(long total) {
      if (total == 0) {
        return;
      }
      long added = Math.max(0, total - restocked);
      if (added > 0) {
        available += added;
        restocked = total;
        moves++;
      }
      assertThat(book.run("restock", 1, total)).isEqualTo(List.of(1L, available, restocked, added));
    }

    void become(String wish) {
      if (state.equals("ENDED") && !wish.equals("ENDED")) {
        assertThat(book.run("sale-state", wish)).isEqualTo(List.of(2L, "ENDED"));
        return;
      }
      long changed = state.equals(wish) ? 0 : 1;
      moves += changed;
      state = wish;
      assertThat(book.run("sale-state", wish)).isEqualTo(List.of(1L, wish, "", "", changed));
    }

    void preheat(long stock, int max) {
      boolean fixed = pending + sold + writtenOff + released > 0;
      boolean same = stock == initial && max == maxQuantity;
      List<Object> expected = List.of(2L, 0L);
      if (fixed && !same) {
        expected = List.of(3L);
      } else if (!same) {
        available += stock - initial;
        initial = stock;
        maxQuantity = max;
        moves++;
        expected = List.of(2L, 1L);
      }
      assertThat(book.preheat(stock, max)).isEqualTo(expected);
    }

    void settle() {
      List<Object> reply = book.run("settle-begin");
      long waiting = outbox().size();
      if (!state.equals("ENDED")) {
        assertThat(reply).isEqualTo(List.of(3L, ""));
      } else if (pending > 0 || waiting > 0) {
        assertThat(reply).isEqualTo(List.of(2L, pending, waiting));
      } else {
        assertThat(reply)
            .isEqualTo(
                List.of(
                    1L, initial, restocked, available, 0L, sold, writtenOff, released, 1L, moves));
      }
    }

    void check() {
      Book now = book.book();
      assertThat(now.balanced()).as("%s", now).isTrue();
      assertThat(
              List.of(
                  now.initial(),
                  now.restocked(),
                  now.available(),
                  now.pending(),
                  now.sold(),
                  now.writtenOff(),
                  now.released(),
                  now.moves()))
          .as("initial, restocked, available, pending, sold, writtenOff, released, moves")
          .isEqualTo(
              List.of(initial, restocked, available, pending, sold, writtenOff, released, moves));
      assertThat(now.state()).isEqualTo(state);
      for (long user = 1; user <= USERS; user++) {
        for (String key : KEYS) {
          Reservation known = known(user, key);
          List<Object> answer = book.lookup(user, key);
          if (known == null) {
            assertThat(answer).isEqualTo(List.of(0L));
          } else {
            assertThat(answer.subList(1, 7))
                .isEqualTo(
                    List.of(
                        book.requestId(user, key),
                        known.status,
                        known.orderId,
                        reason(known),
                        key,
                        (long) known.quantity));
          }
        }
      }
      checkSweeper();
    }

    private void checkSweeper() {
      Map<String, String> overdue = new LinkedHashMap<>();
      List<Object> reply = book.run("overdue", Long.MAX_VALUE, 500);
      reply
          .subList(1, reply.size())
          .forEach(
              entry ->
                  overdue.put(
                      (String) ((List<?>) entry).get(0), (String) ((List<?>) entry).get(5)));
      Map<String, String> expected = new LinkedHashMap<>();
      live.values().stream()
          .filter(reservation -> reservation.status.equals("PENDING") && !reservation.inOutbox)
          .forEach(
              reservation ->
                  expected.put(
                      book.requestId(reservation.user, reservation.key),
                      Integer.toString(reservation.resent)));
      assertThat(overdue).isEqualTo(expected);
    }

    private List<StreamMessage<String, String>> outbox() {
      return TestServers.get()
          .redisCommands()
          .xrange(BookKeys.outbox(book.productId()), Range.unbounded());
    }

    private List<Reservation> all() {
      List<Reservation> all = new ArrayList<>(live.values());
      all.addAll(failed.values());
      return all;
    }

    private Reservation live(long user, String key) {
      Reservation reservation = live.get(user);
      return reservation != null && reservation.key.equals(key) ? reservation : null;
    }

    private Reservation known(long user, String key) {
      Reservation reservation = live(user, key);
      return reservation != null ? reservation : failed.get(user + "|" + key);
    }

    private static String reason(Reservation reservation) {
      return switch (reservation.status) {
        case "FAIL_SYSTEM" -> "poison";
        case "FAIL_SOLD_OUT" -> "no unit in MySQL";
        default -> "";
      };
    }

    @Override
    public String toString() {
      return "sale " + book.productId();
    }
  }
}
