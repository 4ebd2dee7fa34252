package io.seckill.drill.check;

import io.seckill.drill.history.Event;
import io.seckill.drill.history.History;
import io.seckill.drill.history.Purchase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** A history, indexed for the judges. */
final class Facts {
  static final String REST = "rest";
  static final String REPLAYED = "replayed";

  /** All facts about one purchase, each list in the order of the history. */
  static final class Track {
    final List<Event.Attempt> attempts = new ArrayList<>();
    final List<Event.Look> looks = new ArrayList<>();
    final List<Event.RowFound> rows = new ArrayList<>();
    final List<Event.EntryFound> entries = new ArrayList<>();
    final List<Event.MessageFound> messages = new ArrayList<>();

    List<Event> evidence() {
      List<Event> all = new ArrayList<>();
      all.addAll(attempts);
      all.addAll(looks);
      all.addAll(messages);
      all.addAll(rows);
      all.addAll(entries);
      return all;
    }

    List<Event.RowFound> rows(String stage) {
      return rows.stream().filter(row -> row.stage().equals(stage)).toList();
    }

    List<Event.EntryFound> entries(String stage) {
      return entries.stream().filter(entry -> entry.stage().equals(stage)).toList();
    }

    /** The first request that was answered with a reservation. */
    Optional<Event.Attempt> reserved() {
      return attempts.stream()
          .filter(attempt -> attempt.answer().isReserved())
          .min(Comparator.comparingLong(Event.Attempt::end));
    }
  }

  private final History history;
  private final Map<Purchase, Track> tracks = new LinkedHashMap<>();
  private final Map<Long, Event.SaleOpened> sales = new TreeMap<>();
  private final Optional<Long> lostAt;

  Facts(History history) {
    this.history = history;
    history.all(Event.SaleOpened.class).forEach(sale -> sales.put(sale.productId(), sale));
    history.all(Event.Attempt.class).forEach(it -> track(it.purchase()).attempts.add(it));
    history.all(Event.Look.class).forEach(it -> track(it.purchase()).looks.add(it));
    history.all(Event.RowFound.class).forEach(it -> track(it.purchase()).rows.add(it));
    history.all(Event.EntryFound.class).forEach(it -> track(it.purchase()).entries.add(it));
    history.all(Event.MessageFound.class).forEach(it -> track(it.purchase()).messages.add(it));
    lostAt = history.all(Event.RedisLost.class).map(Event::at).max(Comparator.naturalOrder());
  }

  private Track track(Purchase purchase) {
    return tracks.computeIfAbsent(purchase, key -> new Track());
  }

  History history() {
    return history;
  }

  Event.Begin begin() {
    return history.begin();
  }

  boolean isStrategyB() {
    return begin().strategy().equals("B");
  }

  Map<Purchase, Track> tracks() {
    return tracks;
  }

  Map<Long, Event.SaleOpened> sales() {
    return sales;
  }

  /** Units the drill itself put on sale. */
  long issued(long productId) {
    return sales.get(productId).initial()
        + history
            .all(Event.Restocked.class)
            .filter(restock -> restock.productId() == productId)
            .mapToLong(Event.Restocked::units)
            .sum();
  }

  /** When an operator was told that the sale has ended; empty while nobody was. */
  OptionalLong ended(long productId) {
    return history
        .all(Event.Asked.class)
        .filter(it -> it.productId() == productId && it.action().equals("END") && it.isDone())
        .mapToLong(Event.Asked::end)
        .min();
  }

  List<Event.AtRest> stages() {
    return history.all(Event.AtRest.class).toList();
  }

  Optional<String> lastStage() {
    List<Event.AtRest> stages = stages();
    return stages.isEmpty() ? Optional.empty() : Optional.of(stages.get(stages.size() - 1).stage());
  }

  Optional<Event.BookFound> book(String stage, long productId) {
    return history
        .all(Event.BookFound.class)
        .filter(book -> book.stage().equals(stage) && book.productId() == productId)
        .findFirst();
  }

  Optional<Event.ProductFound> product(String stage, long productId) {
    return history
        .all(Event.ProductFound.class)
        .filter(product -> product.stage().equals(stage) && product.productId() == productId)
        .findFirst();
  }

  List<Event.RowFound> rows(String stage, long productId) {
    return history
        .all(Event.RowFound.class)
        .filter(row -> row.stage().equals(stage) && row.productId() == productId)
        .toList();
  }

  List<Event.EntryFound> entries(String stage, long productId) {
    return history
        .all(Event.EntryFound.class)
        .filter(entry -> entry.stage().equals(stage) && entry.productId() == productId)
        .toList();
  }

  /** C: the units of SUCCESS rows. */
  long committed(String stage, long productId) {
    return rows(stage, productId).stream()
        .filter(Event.RowFound::isSuccess)
        .mapToLong(Event.RowFound::quantity)
        .sum();
  }

  /**
   * Whether more was sold than there is because Redis lost acknowledged data, which strategy A
   * cannot prevent.
   */
  boolean isOversoldByLoss(String stage, long productId) {
    return !isStrategyB() && redisLost() && committed(stage, productId) > issued(productId);
  }

  boolean redisLost() {
    return lostAt.isPresent();
  }

  boolean rebuilt(long productId) {
    return history.all(Event.Rebuilt.class).anyMatch(it -> it.productId() == productId);
  }

  /** Whether Redis may have lost data before this time and the book was not rebuilt yet. */
  boolean isLossUnrepaired(long productId, long at) {
    long lastLoss =
        history
            .all(Event.RedisLost.class)
            .mapToLong(Event::at)
            .filter(lost -> lost <= at)
            .max()
            .orElse(Long.MAX_VALUE);
    return lastLoss != Long.MAX_VALUE
        && history
            .all(Event.Rebuilt.class)
            .noneMatch(it -> it.productId() == productId && it.at() >= lastLoss && it.at() <= at);
  }

  /**
   * Whether the purchase was reserved before Redis lost data and was not in Kafka then. Redis may
   * have forgotten it, so its key may be unknown, refused or reserved again. A relay that hung may
   * still have sent it later.
   */
  boolean mayBeForgotten(Track track) {
    return lostAt.isPresent()
        && track.reserved().filter(attempt -> attempt.at() <= lostAt.get()).isPresent()
        && track.messages.stream().noneMatch(message -> message.sentAt() <= lostAt.get());
  }

  /**
   * Whether Redis lost this reservation before Kafka or MySQL had it: it was asked for before the
   * loss, and there is no row and no message of it.
   */
  boolean isLostByRedis(Track track) {
    return lostAt.isPresent()
        && track.rows.isEmpty()
        && track.messages.isEmpty()
        && track.attempts.stream().anyMatch(attempt -> attempt.at() <= lostAt.get())
        && track.attempts.stream()
            .filter(attempt -> attempt.answer().isReserved())
            .allMatch(attempt -> attempt.at() <= lostAt.get());
  }
}
