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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
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

  /** After that no purchase is asked for more than once. */
  private static final long LOOK_MILLIS = 20_000;

  private static final long REBUILD_MILLIS = 60_000;
  private static final long MOP_UP_MILLIS = 30_000;
  private static final long ALARM_MILLIS = 20_000;
  private static final int LATE_BUYERS = 5;
  private static final long FIRST_LATE_BUYER = 2_000_000;

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
  private Operator operator;
  private volatile boolean healed;

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
    strategy = strategyOf(fault, seed);
    int stock = 60 + random.nextInt(140);
    int maxQuantity = 1 + random.nextInt(3);
    long endsAfter = endsMidway(seed) ? new Random(-seed).nextInt(2_500) : -1;
    plan = new Plan(stock, maxQuantity, stock * 3, 5, 1_200, boundMillis, endsAfter);
  }

  /** Even seeds drill strategy A, odd ones B, unless the fault is one of a certain strategy. */
  public static String strategyOf(Fault fault, long seed) {
    return fault
        .setup()
        .properties()
        .getOrDefault("seckill.strategy", Math.floorMod(seed, 2) == 0 ? "A" : "B");
  }

  /** Two of four seeds end the sale in the middle of the run. */
  static boolean endsMidway(long seed) {
    return Math.floorMod(seed, 4) >= 2;
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
    Thread end = null;
    try {
      pause(300 + random.nextInt(500));
      end = endMidway();
      fault.strike().at(new Stage());
      pause(plan.saleMillis());
    } finally {
      buyers.stop();
      lab.heal();
    }
    nodes.forEach(node -> node.machine().start());
    recorder.add(new Event.Healed(recorder.now()));
    healed = true;
    boolean quiet = end == null ? comeToRest(buyers) : settleMidway(end, buyers);
    observer.stop();
    look("rest", quiet, buyers);
    Verdict verdict = Checker.check(recorder.history());
    if (!enough.test(verdict)) {
      replay();
      look("replayed", awaitRest(), buyers);
      if (end == null) {
        look("settled", settleAtLast(), buyers);
      }
      listAlarms();
      verdict = Checker.check(recorder.history());
    } else {
      settleAtLast();
    }
    extra.forEach(node -> node.machine().stop());
    return new Result(
        fault.name(),
        seed,
        strategy,
        recorder.history(),
        verdict,
        List.copyOf(missed),
        (System.nanoTime() - started) / 1_000_000);
  }

  /** An operator who ends the sale at the time of the plan; null when it goes on. */
  private Thread endMidway() {
    if (!plan.endsMidway()) {
      return null;
    }
    Thread thread =
        new Thread(
            () -> {
              pause(plan.endsAfterMillis());
              operator.awaitEnd(plan.healedMillis(), () -> healed);
              recorder.deed(fault.name(), "an operator has ended the sale");
              operator.settle();
            },
            "operator");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private boolean comeToRest(Buyers buyers) throws SQLException {
    if (lab.stores().isSettled(productId)) {
      return awaitRest();
    }
    rebuildIfRequired();
    if (!awaitRest()) {
      return false;
    }
    mopUp(buyers);
    return awaitRest();
  }

  private boolean settleMidway(Thread end, Buyers buyers) throws InterruptedException {
    end.join();
    for (int i = 0; i < LATE_BUYERS; i++) {
      for (Shop shop : shops()) {
        buyers.attempt(shop, 0, FIRST_LATE_BUYER + i, "k", 1, PATIENCE);
      }
    }
    boolean settled = operator.awaitSettlement(plan.healedMillis());
    return awaitRest() && settled;
  }

  private boolean settleAtLast() {
    return operator.awaitEnd(plan.healedMillis(), () -> true)
        && operator.awaitSettlement(plan.healedMillis());
  }

  /**
   * Rebuilds the book where a node asks for it, as soon as each node knows what it thinks of it.
   */
  private void rebuildIfRequired() {
    await(
        plan.healedMillis(),
        () -> {
          Set<String> admissions = new HashSet<>();
          shops().forEach(shop -> admissions.add(shop.admission(productId)));
          if (admissions.contains("REBUILD_REQUIRED")) {
            recorder.deed(fault.name(), "the operator sees that a rebuild is required");
            operator.awaitRebuilt(REBUILD_MILLIS);
          }
          return admissions.equals(Set.of("OPEN"));
        });
  }

  private void listAlarms() {
    for (Application node : nodes) {
      recorder.add(
          new Event.AlarmsFound(
              recorder.now(), node.machine().name(), Alarms.await(node, ALARM_MILLIS)));
    }
  }

  private void openSale() {
    Shop shop = new Shop(nodes.get(0).baseUrl());
    operator = new Operator(recorder, productId, () -> new Shop(open.get(0).baseUrl()));
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

  /** Writes down what is there, and asks for every purchase. */
  private void look(String stage, boolean quiet, Buyers buyers) throws SQLException {
    recorder.add(new Event.AtRest(recorder.now(), stage, quiet));
    new Dump(recorder, lab.stores(), stage, productId).write(begin);
    Shop shop = new Shop(nodes.get(0).baseUrl());
    Shop.Reply ledger = shop.admin("GET", "/admin/sales/" + productId + "/ledger", null);
    if (ledger.isOk() && ledger.body().has("balanced")) {
      recorder.add(
          new Event.LedgerSaid(
              recorder.now(), stage, productId, ledger.body().path("balanced").asBoolean()));
    }
    long patient = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
    for (Purchase purchase : askedFor()) {
      boolean again = quiet && System.nanoTime() < patient;
      for (int i = 0; i < (again ? ASK_AT_MOST : 1); i++) {
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
      tell("rebuild");
      tell(
          operator.awaitRebuilt(REBUILD_MILLIS)
              ? "the book is rebuilt"
              : "the rebuild did not end");
    }

    @Override
    public void end() {
      tell("the operator ends the sale");
      operator.awaitEnd(plan.healedMillis(), () -> true);
    }

    @Override
    public void settle() {
      tell(operator.awaitSettlement(plan.healedMillis()) ? "the sale is settled" : "not settled");
    }

    @Override
    public void restock(long units) {
      boolean done = operator.awaitRestocked(units, "drill-" + recorder.now(), plan.healedMillis());
      tell(units + " units " + (done ? "restocked" : "not restocked"));
    }

    @Override
    public void operators(long millis, Fault.Strike meanwhile) throws Exception {
      List<Operator> all =
          nodes.stream()
              .map(node -> new Shop(node.baseUrl()))
              .map(node -> new Operator(recorder, productId, () -> node))
              .toList();
      Operators operators = new Operators(recorder, productId, all, seed);
      tell("operators settle, rebuild, restock, pause and resume at once");
      operators.start();
      try {
        meanwhile.at(this);
        pause(millis);
      } finally {
        lab.heal();
        operators.stop(plan.healedMillis());
      }
      tell(operators.tell());
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
