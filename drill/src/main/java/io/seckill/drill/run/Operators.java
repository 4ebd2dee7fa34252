package io.seckill.drill.run;

import io.seckill.drill.history.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Operators who work on one sale at once, and do not agree. */
final class Operators {
  private static final int AT_ONCE = 5;
  private static final long PAUSE_NANOS = 100_000_000;

  private final Recorder recorder;
  private final long productId;
  private final List<Operator> nodes;
  private final long seed;
  private final List<Thread> threads = new ArrayList<>();

  /** Units by key of restocks that were neither done nor refused. */
  private final Map<String, Long> open = new ConcurrentHashMap<>();

  private final Map<String, Integer> done = new TreeMap<>();
  private volatile boolean over;

  /**
   * @param nodes an operator at each node
   */
  Operators(Recorder recorder, long productId, List<Operator> nodes, long seed) {
    this.recorder = recorder;
    this.productId = productId;
    this.nodes = nodes;
    this.seed = seed;
  }

  void start() {
    for (int i = 0; i < AT_ONCE; i++) {
      int number = i;
      Thread thread = new Thread(() -> act(number), "operator-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  /** Lets them end what they have begun, asks again for what was not answered, and resumes. */
  void stop(long millis) throws InterruptedException {
    over = true;
    for (Thread thread : threads) {
      thread.join(millis);
    }
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!open.isEmpty() && System.nanoTime() < deadline) {
      open.forEach((key, units) -> restock(nodes.get(0), key, units));
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    while (!isResumed(nodes.get(0)) && System.nanoTime() < deadline) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** What was done, in words. */
  String tell() {
    return "the operators have done " + done + "; without an answer: restocks " + open;
  }

  private void act(int number) {
    Random random = new Random(seed * 100 + number);
    for (int i = 0; !over; i++) {
      Operator operator = nodes.get(random.nextInt(nodes.size()));
      switch (random.nextInt(7)) {
        case 0 -> count("settle", operator.settle());
        case 1 -> {
          Shop.Reply reply = operator.rebuild();
          count("rebuild", reply);
          if (reply.isOk()) {
            recorder.add(new Event.Rebuilt(recorder.now(), productId));
          }
        }
        case 2 -> restock(operator, "restock-" + number + "-" + i, 1L + random.nextInt(3));
        case 3 -> count("pause", operator.pause());
        default -> count("resume", operator.resume());
      }
      LockSupport.parkNanos((long) (PAUSE_NANOS * random.nextDouble()));
    }
  }

  private void restock(Operator operator, String key, long units) {
    open.put(key, units);
    Shop.Reply reply = operator.restock(units, key);
    count("restock", reply);
    if (isAnswered(reply) && open.remove(key) != null && reply.isOk()) {
      recorder.add(new Event.Restocked(recorder.now(), productId, units));
    }
  }

  private static boolean isResumed(Operator operator) {
    Shop.Reply reply = operator.resume();
    if ("REBUILD_REQUIRED".equals(reply.code())) {
      operator.awaitRebuilt(0);
    }
    return reply.isOk() || Operator.isOver(reply);
  }

  private static boolean isAnswered(Shop.Reply reply) {
    return reply.status() > 0 && reply.status() < 500;
  }

  private synchronized void count(String action, Shop.Reply reply) {
    if (reply.isOk()) {
      done.merge(action, 1, Integer::sum);
    }
  }
}
