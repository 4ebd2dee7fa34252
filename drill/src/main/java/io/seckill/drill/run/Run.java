package io.seckill.drill.run;

import io.seckill.drill.check.Checker;
import io.seckill.drill.check.Verdict;
import io.seckill.drill.fault.Fault;
import io.seckill.drill.fault.Scene;
import io.seckill.drill.history.Answer;
import io.seckill.drill.history.Book;
import io.seckill.drill.history.Event;
import io.seckill.drill.history.Purchase;
import io.seckill.drill.lab.Application;
import io.seckill.drill.lab.Lab;
import io.seckill.drill.lab.LabException;
import io.seckill.drill.lab.Stores;
import io.seckill.drill.report.Result;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** One sale, one fault, one verdict. Fault and seed decide what happens. */
public final class Run {
  /** The longest time from the end of the last fault until everything has ended. */
  static final long BOUND_MILLIS = 60_000;

  private static final long POLL_NANOS = 20_000_000;
  private static final long FIRST_NEWCOMER = 1_000_000;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int COPIES = 3;
  private static final int ASK_AT_MOST = 20;
  private static final long REBUILD_MILLIS = 60_000;
  private static final long MOP_UP_MILLIS = 30_000;

  private final Lab lab;
  private final Nodes provider;
  private final Fault fault;
  private final String strategy;
  private final long seed;
  private final long productId;
  private final Plan plan;
  private final Recorder recorder = new Recorder();
  private final Random random;
  private final List<Application> extra = new ArrayList<>();
  private final List<Application> open = new CopyOnWriteArrayList<>();
  private final Map<String, Map<TopicPartition, Long>> begin = new LinkedHashMap<>();
  private final List<String> missed = new ArrayList<>();
  private List<Application> nodes;

  /**
   * @param boundMillis longest time from the end of the fault until all purchases have ended
   */
  Run(Lab lab, Nodes provider, Fault fault, long seed, long productId, long boundMillis) {
    this.lab = lab;
    this.provider = provider;
    this.fault = fault;
    this.seed = seed;
    this.productId = productId;
    random = new Random(seed);
    strategy = strategyOf(seed);
    int stock = 60 + random.nextInt(140);
    plan = new Plan(stock, 1 + random.nextInt(3), stock * 3, 5, 1_200, boundMillis);
  }

  /** Even seeds drill strategy A, odd ones B. */
  public static String strategyOf(long seed) {
    return Math.floorMod(seed, 2) == 0 ? "A" : "B";
  }

  /**
   * @throws LabException when the drill itself cannot go on
   */
  Result go() throws Exception {
    return go(verdict -> false);
  }

  /**
   * @param enough decides by the verdict at rest whether the run can end before messages are
   *     replayed
   * @throws LabException when the drill itself cannot go on
   */
  Result go(Predicate<Verdict> enough) throws Exception {
    long started = System.nanoTime();
    nodes = provider.provide(fault.setup(), strategy);
    open.addAll(nodes);
    for (String topic : List.of(Stores.ORDERS, Stores.DEAD_LETTERS)) {
      begin.put(topic, lab.stores().ends(topic));
    }
    recorder.add(new Event.Begin(0, seed, fault.name(), "full", strategy, plan.healedMillis()));
    openSale();
    Buyers buyers = new Buyers(recorder, plan, productId, this::shops, seed);
    Observer observer = new Observer(recorder, lab.stores(), productId);
    observer.start();
    buyers.start();
    try {
      pause(300 + random.nextInt(500));
      fault.strike().at(new Stage());
      pause(plan.saleMillis());
    } finally {
      buyers.stop();
      lab.heal();
    }
    nodes.forEach(node -> node.machine().start());
    recorder.add(new Event.Healed(recorder.now()));
    boolean quiet = awaitRest();
    if (quiet) {
      mopUp(buyers);
      quiet = awaitRest();
    }
    observer.stop();
    settle("rest", quiet, buyers);
    Verdict verdict = Checker.check(recorder.history());
    if (!enough.test(verdict)) {
      replay();
      settle("replayed", awaitRest(), buyers);
      verdict = Checker.check(recorder.history());
    }
    extra.forEach(node -> node.machine().stop());
    new Shop(nodes.get(0).baseUrl()).admin("POST", "/admin/sales/" + productId + "/end", null);
    return new Result(
        fault.name(),
        seed,
        strategy,
        recorder.history(),
        verdict,
        List.copyOf(missed),
        (System.nanoTime() - started) / 1_000_000);
  }

  private void openSale() {
    Shop shop = new Shop(nodes.get(0).baseUrl());
    Shop.Reply reply =
        shop.admin(
            "PUT",
            "/admin/sales/" + productId,
            Map.of(
                "name", "Drill " + seed, "stock", plan.stock(), "maxQuantity", plan.maxQuantity()));
    if (!reply.isOk()) {
      throw new LabException("The sale cannot be created: " + reply);
    }
    recorder.add(new Event.SaleOpened(recorder.now(), productId, plan.stock(), plan.maxQuantity()));
    for (Application node : nodes) {
      Shop there = new Shop(node.baseUrl());
      if (!await(
          30_000, () -> there.look(productId, "nobody", FIRST_NEWCOMER, PATIENCE).http() == 404)) {
        throw new LabException("A node does not see the sale");
      }
    }
  }

  private List<Shop> shops() {
    return open.stream().map(node -> new Shop(node.baseUrl())).toList();
  }

  private boolean awaitRest() {
    Rest rest = new Rest(lab.stores(), productId);
    boolean quiet = rest.await(plan.healedMillis());
    if (!quiet) {
      recorder.deed(fault.name(), "not at rest: " + rest.last());
    }
    return quiet;
  }

  /** Lets newcomers buy single units until none is left. */
  private void mopUp(Buyers buyers) {
    recorder.deed(fault.name(), "newcomers buy what is left");
    Shop shop = new Shop(nodes.get(0).baseUrl());
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MOP_UP_MILLIS);
    long user = FIRST_NEWCOMER;
    while (System.nanoTime() < deadline) {
      Answer answer = buyers.attempt(shop, 0, user, "k", 1, PATIENCE);
      if (answer.isReserved()) {
        user++;
        continue;
      }
      Book book = lab.stores().book(productId);
      if ("FAIL_SOLD_OUT".equals(answer.code()) && book != null && book.available() == 0) {
        return;
      }
      pause(50);
    }
  }

  private void settle(String stage, boolean quiet, Buyers buyers) throws SQLException {
    recorder.add(new Event.AtRest(recorder.now(), stage, quiet));
    new Dump(recorder, lab.stores(), stage, productId).write(begin);
    Shop shop = new Shop(nodes.get(0).baseUrl());
    Shop.Reply ledger = shop.admin("GET", "/admin/sales/" + productId + "/ledger", null);
    if (ledger.isOk() && ledger.body().has("balanced")) {
      recorder.add(
          new Event.LedgerSaid(
              recorder.now(), stage, productId, ledger.body().path("balanced").asBoolean()));
    }
    for (Purchase purchase : askedFor()) {
      for (int i = 0; i < (quiet ? ASK_AT_MOST : 1); i++) {
        Answer answer =
            buyers.look(shop, 0, purchase.userId(), purchase.key(), purchase.userId(), PATIENCE);
        if (!answer.saysNothing() && !"PENDING".equals(answer.status())) {
          break;
        }
        pause(50);
      }
    }
  }

  /** The purchases that clients may have reserved. */
  private List<Purchase> askedFor() {
    Map<String, Purchase> asked = new TreeMap<>();
    recorder
        .history()
        .all(Event.Attempt.class)
        .filter(it -> it.answer().isReserved() || it.answer().isUnknown())
        .forEach(it -> asked.put(it.purchase().toString(), it.purchase()));
    return List.copyOf(asked.values());
  }

  /**
   * Delivers every message and every dead letter again, in any order, and dead letters of orders.
   */
  private void replay() {
    List<ProducerRecord<byte[], byte[]>> again = new ArrayList<>();
    for (String topic : begin.keySet()) {
      Map<String, Integer> times = new HashMap<>();
      for (ConsumerRecord<byte[], byte[]> record : ownRecords(topic)) {
        String order = Stores.order(record.value()).orElseThrow().path("requestId").asText();
        if (times.merge(order, 1, Integer::sum) > COPIES) {
          continue; // a fault may have sent it many times already
        }
        again.add(
            new ProducerRecord<>(topic, null, record.key(), record.value(), record.headers()));
        if (topic.equals(Stores.ORDERS) && random.nextInt(4) == 0) {
          again.add(new ProducerRecord<>(Stores.DEAD_LETTERS, record.key(), record.value()));
        }
      }
    }
    Collections.shuffle(again, random);
    lab.stores().produce(again);
    recorder.deed(fault.name(), again.size() + " messages and dead letters delivered again");
  }

  private List<ConsumerRecord<byte[], byte[]>> ownRecords(String topic) {
    return lab.stores().records(topic, begin.get(topic)).stream()
        .filter(
            record ->
                Stores.order(record.value())
                    .filter(order -> order.path("productId").asLong() == productId)
                    .isPresent())
        .toList();
  }

  private static void pause(long millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private static boolean await(long millis, Scene.Condition condition) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (true) {
      if (holds(condition)) {
        return true;
      }
      if (System.nanoTime() > deadline) {
        return false;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static boolean holds(Scene.Condition condition) {
    try {
      return condition.holds();
    } catch (Exception notYet) {
      return false;
    }
  }

  /** The scene of this run. */
  private final class Stage implements Scene {
    @Override
    public Lab lab() {
      return lab;
    }

    @Override
    public List<Application> nodes() {
      return nodes;
    }

    @Override
    public Application addNode() {
      Application node = provider.make();
      extra.add(node);
      node.machine().start();
      return node;
    }

    @Override
    public void takeOut(Application node) {
      open.remove(node);
    }

    @Override
    public void putBack(Application node) {
      open.add(node);
    }

    @Override
    public Random random() {
      return random;
    }

    @Override
    public long productId() {
      return productId;
    }

    @Override
    public void tell(String what) {
      recorder.deed(fault.name(), what);
    }

    @Override
    public void missed(String what) {
      missed.add(what);
      tell("MISSED: " + what);
    }

    @Override
    public void redisLost(String how) {
      recorder.add(new Event.RedisLost(recorder.now(), how));
    }

    @Override
    public void rebuild() {
      Shop shop = new Shop(nodes.get(0).baseUrl());
      tell("rebuild");
      boolean done =
          Run.await(
              REBUILD_MILLIS,
              () ->
                  shop.admin("POST", "/admin/sales/" + productId + "/rebuild", null).isOk()
                      && lab.stores().book(productId) != null);
      if (!done) {
        tell("the rebuild did not end");
        return;
      }
      recorder.add(new Event.Rebuilt(recorder.now(), productId));
      tell("the book is rebuilt");
    }

    @Override
    public void pause(long millis) {
      Run.pause(millis);
    }

    @Override
    public boolean await(long millis, Condition condition) {
      return Run.await(millis, condition);
    }

    @Override
    public List<ConsumerRecord<byte[], byte[]>> records(String topic) {
      return ownRecords(topic);
    }

    @Override
    public Map<TopicPartition, Long> begin(String topic) {
      return begin.get(topic);
    }

    @Override
    public int admin(String method, String path) {
      return new Shop(nodes.get(0).baseUrl()).admin(method, path, null).status();
    }
  }
}
