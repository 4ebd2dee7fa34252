package io.seckill.drill.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The flow after the 202 as a state machine: one product, reservations of one unit each, Redis's
 * book and outbox, the topic, MySQL's rows, and workers that can crash between any two steps.
 *
 * <p>It is harsher than reality. A message is never gone: it may be delivered at any time, to any
 * worker, any number of times, also long after compensation (duplicates, zombies, late messages,
 * replays). Any message may be dead-lettered. A relay may hold an entry for ever and send it late:
 * it sleeps while Redis goes back in time and others go on. The sweeper may act on any pending
 * reservation at once.
 */
final class OrderFlow implements Explorer.Model<OrderFlow.World> {
  /**
   * @param buyers the buyer of each reservation
   * @param workers how many writers or compensations run at once
   * @param losses how often Redis may lose everything, or come back from an older copy
   * @param sweeper whether the sweeper runs
   */
  record Config(
      boolean strategyB,
      int stock,
      int sqlStock,
      int[] buyers,
      int workers,
      int losses,
      boolean sweeper,
      Set<Guard> dropped) {
    static Config of(boolean strategyB, int stock, int... buyers) {
      return new Config(strategyB, stock, stock, buyers, 2, 0, true, EnumSet.noneOf(Guard.class));
    }

    Config workers(int count) {
      return new Config(strategyB, stock, sqlStock, buyers, count, losses, sweeper, dropped);
    }

    Config losses(int count) {
      return new Config(strategyB, stock, sqlStock, buyers, workers, count, sweeper, dropped);
    }

    Config sqlStock(int units) {
      return new Config(strategyB, stock, units, buyers, workers, losses, sweeper, dropped);
    }

    Config withoutSweeper() {
      return new Config(strategyB, stock, sqlStock, buyers, workers, losses, false, dropped);
    }

    Config without(Guard first, Guard... more) {
      return new Config(
          strategyB, stock, sqlStock, buyers, workers, losses, sweeper, EnumSet.of(first, more));
    }
  }

  private static final int NONE = 0;
  private static final int PENDING = 1;
  private static final int SUCCESS = 2;
  private static final int FAIL = 3;

  /** FAIL_SOLD_OUT: its unit is written off, not released. */
  private static final int SOLD_OUT = 4;

  private static final String[] STATUS = {"-", "PENDING", "SUCCESS", "FAIL", "SOLD_OUT"};

  // what Redis holds; a copy of it can come back
  private static final int AVAILABLE = 0;
  private static final int PENDING_UNITS = 1;
  private static final int SOLD = 2;
  private static final int WRITTEN_OFF = 3;
  private static final int BOOK_EPOCH = 4;
  private static final int OUTBOX = 5;

  /** The epoch that an adoption is about to give the book; 0: none. */
  private static final int FENCING = 6;

  private static final int ENTRIES = 7;

  private static final int CONFIRM = 0;
  private static final int RELEASE = 1;
  private static final int WRITE_OFF = 2;

  private final Config config;
  private final int reservations;
  private final int redisSize;
  private final int saved;
  private final int held;
  private final int topic;
  private final int sqlEpoch;
  private final int count;
  private final int open;
  private final int lost;
  private final int rebuild;
  private final int judged;
  private final int rows;
  private final int secondRows;
  private final int released;
  private final int worker;
  private final int size;

  OrderFlow(Config config) {
    this.config = config;
    reservations = config.buyers.length;
    redisSize = ENTRIES + reservations;
    saved = redisSize;
    held = saved + redisSize;
    topic = held + 1;
    sqlEpoch = topic + 1;
    count = sqlEpoch + 1;
    open = count + 1;
    lost = open + 1;
    rebuild = lost + 1;
    judged = rebuild + 1;
    rows = judged + 1;
    secondRows = rows + reservations;
    released = secondRows + 1;
    worker = released + 1;
    size = worker + config.workers;
  }

  /** One state; the meaning of each cell is the model's. */
  final class World {
    private final byte[] cells;

    private World(byte[] cells) {
      this.cells = cells;
    }

    private World copy() {
      return new World(cells.clone());
    }

    private int get(int cell) {
      return cells[cell];
    }

    private World set(int cell, int value) {
      cells[cell] = (byte) value;
      return this;
    }

    private World add(int cell, int value) {
      return set(cell, cells[cell] + value);
    }

    private boolean has(int cell, int bit) {
      return (cells[cell] & (1 << bit)) != 0;
    }

    private World mark(int cell, int bit) {
      return set(cell, cells[cell] | (1 << bit));
    }

    private World clear(int cell, int bit) {
      return set(cell, cells[cell] & ~(1 << bit));
    }

    private int entry(int reservation) {
      return get(ENTRIES + reservation);
    }

    private int row(int reservation) {
      return get(rows + reservation);
    }

    private boolean hasBook() {
      return get(BOOK_EPOCH) > 0;
    }

    /** C: units of SUCCESS rows. */
    private int committed() {
      int units = Integer.bitCount(get(secondRows));
      for (int r = 0; r < reservations; r++) {
        units += row(r) == SUCCESS ? 1 : 0;
      }
      return units;
    }

    private World canonical() {
      Arrays.sort(cells, worker, size);
      return this;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof World world && Arrays.equals(cells, world.cells);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(cells);
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder();
      text.append(hasBook() ? "book " : "no book ");
      text.append(get(AVAILABLE)).append('/').append(get(PENDING_UNITS)).append('/');
      text.append(get(SOLD)).append('/').append(get(WRITTEN_OFF));
      text.append(" epoch ").append(get(BOOK_EPOCH)).append('|').append(get(sqlEpoch));
      for (int r = 0; r < reservations; r++) {
        text.append(" r").append(r).append(' ').append(STATUS[entry(r)]);
        text.append('|').append(STATUS[row(r)]);
      }
      text.append(" outbox ").append(Integer.toBinaryString(get(OUTBOX)));
      text.append(" topic ").append(Integer.toBinaryString(get(topic)));
      text.append(" workers ").append(Arrays.toString(Arrays.copyOfRange(cells, worker, size)));
      return text.append(get(open) == 1 ? "" : " closed").toString();
    }
  }

  private boolean has(Guard guard) {
    return !config.dropped.contains(guard);
  }

  @Override
  public World initial() {
    World world = new World(new byte[size]);
    return world
        .set(AVAILABLE, config.stock)
        .set(BOOK_EPOCH, 1)
        .set(sqlEpoch, 1)
        .set(count, config.sqlStock)
        .set(open, 1);
  }

  @Override
  public List<String> breaches(World w) {
    List<String> breaches = new ArrayList<>();
    int[] counters = {w.get(AVAILABLE), w.get(PENDING_UNITS), w.get(SOLD), w.get(WRITTEN_OFF)};
    boolean balanced =
        Arrays.stream(counters).sum() == config.stock
            && Arrays.stream(counters).min().orElse(0) >= 0;
    if (w.hasBook() && !balanced) {
      breaches.add("I1: the book does not balance");
    }
    int committed = w.committed();
    if (w.get(lost) == 0
        && (w.get(SOLD) > committed || committed > w.get(SOLD) + w.get(PENDING_UNITS))) {
      breaches.add("I2: sold <= C <= sold + pending does not hold");
    }
    if (committed > (config.strategyB ? config.sqlStock : config.stock)) {
      breaches.add("I3: oversold");
    }
    if (config.strategyB && w.get(count) != config.sqlStock - committed) {
      breaches.add("I3: MySQL's count does not explain its orders");
    }
    int[] perBuyer = new int[8];
    for (int r = 0; r < reservations; r++) {
      int orders = (w.row(r) == SUCCESS ? 1 : 0) + (w.has(secondRows, r) ? 1 : 0);
      perBuyer[config.buyers[r]] += orders;
      if (orders > 0 && w.has(released, r)) {
        breaches.add("I7: an order whose unit was given back");
      }
    }
    if (Arrays.stream(perBuyer).anyMatch(orders -> orders > 1)) {
      breaches.add("I4: two orders of one buyer");
    }
    return breaches;
  }

  @Override
  public boolean isAtRest(World w) {
    if (!w.hasBook() || w.get(open) == 0 || w.get(OUTBOX) != 0 || w.get(PENDING_UNITS) != 0) {
      return false;
    }
    for (int r = 0; r < reservations; r++) {
      if (w.entry(r) == PENDING) {
        return false;
      }
    }
    return w.get(SOLD) == w.committed();
  }

  @Override
  public void next(World w, Explorer.Steps<World> steps) {
    for (int r = 0; r < reservations; r++) {
      reserve(w, r, steps);
      if (config.sweeper) {
        sweep(w, r, steps);
      }
      for (int epoch = 1; epoch <= w.get(sqlEpoch); epoch++) {
        relay(w, r, epoch, steps);
      }
    }
    for (int i = worker; i < size; i++) {
      if (w.get(i) == 0) {
        for (int r = 0; r < reservations; r++) {
          for (int epoch = 1; epoch <= w.get(sqlEpoch); epoch++) {
            if (w.has(topic, message(r, epoch))) {
              deliver(w, i, r, epoch, steps);
            }
          }
        }
        break; // idle workers are alike
      }
    }
    for (int i = worker; i < size; i++) {
      if (w.get(i) != 0) {
        proceed(w, i, steps);
        steps.add("worker crashes", w.copy().set(i, 0).canonical(), true);
      }
    }
    lose(w, steps);
    adopt(w, steps);
    rebuild(w, steps);
  }

  private int message(int reservation, int epoch) {
    return reservation + (epoch - 1) * reservations;
  }

  private void reserve(World w, int r, Explorer.Steps<World> steps) {
    if (!w.hasBook() || w.get(open) == 0 || w.entry(r) != NONE || w.get(AVAILABLE) == 0) {
      return;
    }
    if (has(Guard.LIVE_PURCHASE)) {
      for (int other = 0; other < reservations; other++) {
        boolean live = w.entry(other) == PENDING || w.entry(other) == SUCCESS;
        if (live && config.buyers[other] == config.buyers[r]) {
          return;
        }
      }
    }
    steps.add(
        "reserve r" + r,
        w.copy()
            .add(AVAILABLE, -1)
            .add(PENDING_UNITS, 1)
            .set(ENTRIES + r, PENDING)
            .mark(OUTBOX, message(r, w.get(BOOK_EPOCH))),
        false);
  }

  private void relay(World w, int r, int epoch, Explorer.Steps<World> steps) {
    int message = message(r, epoch);
    String name = " r" + r + " of epoch " + epoch;
    if (w.has(OUTBOX, message) && !w.has(held, message)) {
      World read = w.copy().mark(held, message);
      if (!has(Guard.SEND_BEFORE_ACKNOWLEDGE)) {
        read.clear(OUTBOX, message);
      }
      steps.add("relay reads" + name, read, true);
    }
    if (w.has(held, message)) {
      steps.add("relay sends" + name, w.copy().clear(held, message).mark(topic, message), true);
      steps.add("relay crashes holding" + name, w.copy().clear(held, message), false);
    }
    if (w.has(OUTBOX, message) && w.has(topic, message)) {
      steps.add("relay acknowledges" + name, w.copy().clear(OUTBOX, message), true);
    }
  }

  private void sweep(World w, int r, Explorer.Steps<World> steps) {
    if (w.hasBook() && w.entry(r) == PENDING && !w.has(OUTBOX, message(r, w.get(BOOK_EPOCH)))) {
      steps.add(
          "sweeper sends r" + r + " again",
          w.copy().mark(OUTBOX, message(r, w.get(BOOK_EPOCH))),
          false);
      for (int i = worker; i < size; i++) {
        if (w.get(i) == 0) {
          compensate(w, i, r, "sweeper compensates r" + r, steps);
          break;
        }
      }
    }
  }

  private void deliver(World w, int i, int r, int epoch, Explorer.Steps<World> steps) {
    String name = " r" + r + " of epoch " + epoch;
    World before = w;
    if (!has(Guard.OFFSET_LAST)) {
      before = w.copy().clear(topic, message(r, epoch));
    }
    if (has(Guard.READ_COMMITTED)) {
      write(before, i, r, epoch, w.row(r), "writer commits" + name, steps);
      compensate(before, i, r, "dead letter, compensation commits" + name, steps);
    } else {
      // an early SELECT fixes what the read-back will see
      int snapshot = 100 + r * 5 + w.row(r);
      if (epoch == w.get(sqlEpoch)) {
        steps.add("writer selects early" + name, w.copy().set(i, snapshot).canonical(), false);
      }
      write(before, i, r, epoch, w.row(r), "writer commits" + name, steps);
    }
  }

  /** One transaction: insert, decrement, read back, commit. */
  private void write(
      World w, int i, int r, int epoch, int seen, String name, Explorer.Steps<World> steps) {
    World after = w.copy();
    boolean older = epoch < w.get(sqlEpoch) && has(Guard.EPOCH);
    if (older && w.get(FENCING) >= w.get(sqlEpoch)) {
      return; // it waits until the book has its new epoch
    }
    boolean held = w.get(BOOK_EPOCH) == w.get(sqlEpoch) && w.entry(r) == PENDING;
    if (older && !held) {
      tombstone(after, r, FAIL);
    } else if (after.row(r) == NONE) {
      boolean otherOrder = false;
      for (int other = 0; other < reservations; other++) {
        otherOrder |=
            other != r
                && config.buyers[other] == config.buyers[r]
                && after.row(other) == SUCCESS
                && has(Guard.UNIQUE_BUYER);
      }
      if (otherOrder) {
        tombstone(after, r, FAIL);
      } else if (config.strategyB && after.get(count) <= 0 && has(Guard.CONDITIONAL_DECREMENT)) {
        tombstone(after, r, SOLD_OUT);
      } else {
        after.set(rows + r, SUCCESS);
        if (config.strategyB) {
          after.add(count, -1);
        }
      }
    } else if (after.row(r) == SUCCESS) {
      if (!has(Guard.UNIQUE_REQUEST)) {
        after.mark(secondRows, r);
      }
      if (config.strategyB && !has(Guard.ATTEMPT)) {
        after.add(count, -1);
      }
    }
    int read = after.row(r);
    if (!has(Guard.READ_COMMITTED) && seen == NONE && w.row(r) != NONE) {
      read = FAIL; // the row another one committed is hidden: taken for a purchase that lost
    }
    follow(after, i, r, read, name, steps);
  }

  private void compensate(World w, int i, int r, String name, Explorer.Steps<World> steps) {
    World after = w.copy();
    if (has(Guard.TOMBSTONE)) {
      tombstone(after, r, FAIL);
    }
    int read = has(Guard.READ_BACK) && has(Guard.TOMBSTONE) ? after.row(r) : FAIL;
    if (has(Guard.READ_BACK) && !has(Guard.TOMBSTONE) && after.row(r) != NONE) {
      read = after.row(r);
    }
    follow(after, i, r, read, name, steps);
  }

  private void tombstone(World w, int r, int status) {
    if (w.row(r) == NONE) {
      w.set(rows + r, status);
    }
  }

  /** What is left to do in Redis after the commit: a step of its own, lost by a crash before it. */
  private void follow(
      World after, int i, int r, int read, String name, Explorer.Steps<World> steps) {
    int script = read == SUCCESS ? CONFIRM : read == SOLD_OUT ? WRITE_OFF : RELEASE;
    if (script == CONFIRM && !has(Guard.CONFIRM)) {
      steps.add(name, after.set(i, 0).canonical(), true);
    } else {
      steps.add(name, after.set(i, 1 + r * 3 + script).canonical(), true);
    }
  }

  private void proceed(World w, int i, Explorer.Steps<World> steps) {
    int todo = w.get(i);
    if (todo >= 100) {
      int r = (todo - 100) / 5;
      int seen = (todo - 100) % 5;
      write(
          w, i, r, w.get(sqlEpoch), seen, "writer commits r" + r + " after an early SELECT", steps);
      return;
    }
    int r = (todo - 1) / 3;
    World after = w.copy().set(i, 0);
    int script = (todo - 1) % 3;
    boolean guarded = !has(Guard.GUARDED_SCRIPTS) || w.entry(r) == PENDING;
    if (w.hasBook() && guarded) {
      after.add(PENDING_UNITS, -1);
      switch (script) {
        case CONFIRM -> after.add(SOLD, 1).set(ENTRIES + r, SUCCESS);
        case RELEASE -> after.add(AVAILABLE, 1).set(ENTRIES + r, FAIL).mark(released, r);
        default -> after.add(WRITTEN_OFF, 1).set(ENTRIES + r, SOLD_OUT);
      }
    }
    String[] names = {"confirm", "release", "write off"};
    steps.add(names[script] + " r" + r, after.canonical(), true);
  }

  private void lose(World w, Explorer.Steps<World> steps) {
    if (w.get(lost) >= config.losses || !w.hasBook()) {
      return;
    }
    World flushed = w.copy();
    Arrays.fill(flushed.cells, 0, redisSize, (byte) 0);
    flushed.set(judged, 0);
    steps.add("Redis is flushed", flushed.add(lost, 1).set(open, 0), false);
    if (w.get(saved + BOOK_EPOCH) == 0) {
      World copied = w.copy();
      System.arraycopy(w.cells, 0, copied.cells, saved, redisSize);
      steps.add("Redis is copied", copied, false);
    } else {
      World older = w.copy();
      System.arraycopy(w.cells, saved, older.cells, 0, redisSize);
      older.add(lost, 1);
      if (has(Guard.ADMISSION)) {
        older.set(open, 0);
      }
      older.set(judged, 0);
      steps.add("Redis comes back from the copy", older, false);
    }
  }

  /**
   * A book that is as new as what Kafka and MySQL know needs no rebuild. What a relay still holds
   * nobody can see.
   */
  private void adopt(World w, Explorer.Steps<World> steps) {
    if (!w.hasBook() || w.get(open) == 1 || w.get(rebuild) != 0) {
      return;
    }
    if (w.get(FENCING) == w.get(sqlEpoch)) {
      steps.add(
          "the book takes its epoch and admission opens",
          w.copy().set(BOOK_EPOCH, w.get(sqlEpoch)).set(FENCING, 0).set(open, 1),
          true);
      return;
    }
    if (w.get(BOOK_EPOCH) != w.get(sqlEpoch)) {
      return;
    }
    if (!has(Guard.ADOPTION)) {
      if (isCurrent(w)) {
        steps.add("the book is found current", w.copy().set(open, 1), true);
      }
    } else if (w.get(sqlEpoch) <= config.losses) {
      if (has(Guard.JUDGED_UNDER_LOCK) ? isCurrent(w) : w.get(judged) == 1) {
        World raised = w.copy().add(sqlEpoch, 1).set(judged, 0);
        steps.add(
            "the book is found current, the epoch is raised",
            raised.set(FENCING, raised.get(sqlEpoch)),
            true);
      } else if (!has(Guard.JUDGED_UNDER_LOCK) && isCurrent(w)) {
        steps.add("the book is found current", w.copy().set(judged, 1), true);
      }
    }
  }

  private boolean isCurrent(World w) {
    for (int r = 0; r < reservations; r++) {
      boolean known = w.row(r) != NONE;
      for (int epoch = w.get(BOOK_EPOCH); epoch <= w.get(sqlEpoch); epoch++) {
        known |= w.has(topic, message(r, epoch));
      }
      if (known && w.entry(r) == NONE) {
        return false;
      }
    }
    return true;
  }

  /**
   * The epoch is raised in the transaction that reads the orders; the book appears in a later step.
   */
  private void rebuild(World w, Explorer.Steps<World> steps) {
    if (w.get(open) == 1 || w.get(sqlEpoch) > config.losses) {
      finishRebuild(w, steps);
      return;
    }
    if (w.get(rebuild) == 0 && w.get(FENCING) != w.get(sqlEpoch)) {
      int snapshot = 1;
      for (int r = 0; r < reservations; r++) {
        snapshot |= w.row(r) == SUCCESS ? 2 << r : 0;
      }
      steps.add(
          "rebuild raises the epoch and reads the orders",
          w.copy().add(sqlEpoch, 1).set(rebuild, snapshot),
          true);
    }
    finishRebuild(w, steps);
  }

  private void finishRebuild(World w, Explorer.Steps<World> steps) {
    if (w.get(rebuild) == 0) {
      return;
    }
    World built = w.copy();
    Arrays.fill(built.cells, 0, redisSize, (byte) 0);
    int sold = 0;
    for (int r = 0; r < reservations; r++) {
      if (w.has(rebuild, r + 1)) {
        sold++;
        built.set(ENTRIES + r, SUCCESS);
      } else if (w.row(r) == FAIL || w.row(r) == SOLD_OUT) {
        built.set(ENTRIES + r, FAIL);
      }
    }
    built
        .set(AVAILABLE, config.stock - sold)
        .set(SOLD, sold)
        .set(BOOK_EPOCH, w.get(sqlEpoch))
        .set(rebuild, 0)
        .set(open, 1);
    steps.add("rebuild puts the book in place and opens admission", built, true);
  }
}
