package io.seckill.drill.check;

import io.seckill.drill.history.Answer;
import io.seckill.drill.history.Book;
import io.seckill.drill.history.Event;
import io.seckill.drill.history.History;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A small sale that went well, to be spoilt by tests: three units; buyers 1 and 2 get one each,
 * buyer 3's order is compensated, buyer 4 gets the unit that came back, buyer 5 is refused. Then
 * the sale ends, buyer 8 comes too late, and it is settled.
 */
final class Story {
  static final long PRODUCT = 100;
  static final long NOBODY = 99;
  private final List<Event> events = new ArrayList<>();

  static Story wellEnded(String strategy) {
    Story story = new Story();
    List<Event> events = story.events;
    events.add(new Event.Begin(0, 42, "none", "full", strategy, 10_000));
    events.add(new Event.SaleOpened(0, PRODUCT, 3, 2));
    for (long user = 1; user <= 3; user++) {
      events.add(attempt(100, user, 1, Answer.accepted(id(user))));
    }
    events.add(attempt(200, 5, 1, Answer.refused(409, "FAIL_SOLD_OUT")));
    events.add(new Event.Observation(250, PRODUCT, book(0, 3, 0, 0), 1, book(0, 2, 1, 0)));
    events.add(attempt(300, 1, 1, Answer.accepted(id(1))));
    events.add(attempt(300, 1, 2, Answer.refused(422, "KEY_REUSED")));
    events.add(look(310, 1, 1, new Answer(200, null, "PENDING", id(1), null)));
    events.add(look(320, 1, NOBODY, Answer.refused(404, "UNKNOWN_REQUEST")));
    events.add(attempt(330, 4, 1, Answer.NONE));
    events.add(new Event.Healed(400));
    events.add(attempt(450, 5, 1, Answer.refused(409, "FAIL_SOLD_OUT")));
    events.add(new Event.AtRest(500, "rest", true));
    story.dump("rest", strategy);
    story.looks(510);
    events.add(new Event.AtRest(600, "replayed", true));
    story.dump("replayed", strategy);
    story.looks(610);
    events.add(asked(640, "END", 200, null));
    events.add(attempt(650, 8, 1, Answer.refused(409, "FAIL_ENDED")));
    events.add(asked(660, "SETTLE", 200, null));
    events.add(new Event.AtRest(670, "settled", true));
    story.dump("settled", strategy);
    events.add(settlement(3, 3, 3, 0, null));
    story.looks(680);
    events.add(new Event.AlarmsFound(690, "node-1", List.of()));
    return story;
  }

  private void dump(String stage, String strategy) {
    events.add(new Event.BookFound(500, stage, PRODUCT, book(0, 0, 3, 1), 0, 0));
    for (long user = 1; user <= 4; user++) {
      String status = user == 3 ? "FAIL_SYSTEM" : "SUCCESS";
      events.add(entry(stage, user, status));
      events.add(row(stage, 10 + user, user, status));
      events.add(message(stage, user));
    }
    long count = strategy.equals("B") || stage.equals("settled") ? 0 : 3;
    events.add(new Event.ProductFound(500, stage, PRODUCT, count, 3, 0, 1, count));
    events.add(new Event.LedgerSaid(500, stage, PRODUCT, true));
  }

  private void looks(long at) {
    for (long user = 1; user <= 4; user++) {
      events.add(
          look(
              at,
              user,
              user,
              user == 3
                  ? Answer.ended("FAIL_SYSTEM", id(user), Long.toString(10 + user))
                  : Answer.ended("SUCCESS", id(user), Long.toString(10 + user))));
    }
  }

  static Event.Asked asked(long at, String action, int http, String code) {
    return new Event.Asked(at, at + 5, PRODUCT, action, http, code);
  }

  static Event.SettlementFound settlement(
      long sold, long orders, long units, long discrepancy, String details) {
    return new Event.SettlementFound(
        670, "settled", PRODUCT, 3, 0, sold, 0, orders, units, discrepancy, details);
  }

  static String id(long user) {
    return PRODUCT + "-" + user + "-hash";
  }

  static String key(long user) {
    return "k" + user;
  }

  static Book book(long available, long pending, long sold, long released) {
    return new Book(3, 0, available, pending, sold, 0, released, 1);
  }

  static Event.Attempt attempt(long at, long user, int quantity, Answer answer) {
    return attempt(at, user, key(user), quantity, answer);
  }

  static Event.Attempt attempt(long at, long user, String key, int quantity, Answer answer) {
    return new Event.Attempt(at, at + 5, 1, PRODUCT, user, key, quantity, answer);
  }

  static Event.Look look(long at, long user, long asker, Answer answer) {
    return new Event.Look(at, at + 5, 1, PRODUCT, user, key(user), asker, answer);
  }

  static Event.EntryFound entry(String stage, long user, String status) {
    return new Event.EntryFound(500, stage, PRODUCT, user, key(user), id(user), 1, status, "");
  }

  static Event.RowFound row(String stage, long id, long user, String status) {
    return row(stage, id, user, key(user), id(user), status);
  }

  static Event.RowFound row(
      String stage, long id, long user, String key, String requestId, String status) {
    return new Event.RowFound(
        500, stage, id, requestId, PRODUCT, user, 1, PRODUCT + ":" + user + ":" + key, status, 1);
  }

  static Event.MessageFound message(String stage, long user) {
    return message(stage, user, 120);
  }

  static Event.MessageFound message(String stage, long user, long sentAt) {
    return new Event.MessageFound(
        500, stage, "seckill.orders", 0, user, sentAt, PRODUCT, user, key(user), id(user), 1);
  }

  Story add(Event... added) {
    events.addAll(List.of(added));
    return this;
  }

  Story addBefore(Predicate<Event> place, Event... added) {
    for (int i = 0; i < events.size(); i++) {
      if (place.test(events.get(i))) {
        events.addAll(i, List.of(added));
        return this;
      }
    }
    throw new IllegalArgumentException("No such place");
  }

  Story remove(Predicate<Event> unwanted) {
    if (!events.removeIf(unwanted)) {
      throw new IllegalArgumentException("Nothing to remove");
    }
    return this;
  }

  /** Changes every event of the type that the predicate takes. */
  <T extends Event> Story change(Class<T> type, Predicate<T> which, UnaryOperator<T> change) {
    boolean changed = false;
    for (int i = 0; i < events.size(); i++) {
      if (type.isInstance(events.get(i)) && which.test(type.cast(events.get(i)))) {
        events.set(i, change.apply(type.cast(events.get(i))));
        changed = true;
      }
    }
    if (!changed) {
      throw new IllegalArgumentException("Nothing to change");
    }
    return this;
  }

  Story books(UnaryOperator<Book> change) {
    return change(
        Event.BookFound.class,
        found -> true,
        found ->
            new Event.BookFound(
                found.at(),
                found.stage(),
                found.productId(),
                change.apply(found.book()),
                found.outbox(),
                found.pendingIndex()));
  }

  Story products(UnaryOperator<Event.ProductFound> change) {
    return change(Event.ProductFound.class, found -> true, change);
  }

  History history() {
    return new History(events);
  }

  Verdict judged() {
    return Checker.check(history());
  }
}
