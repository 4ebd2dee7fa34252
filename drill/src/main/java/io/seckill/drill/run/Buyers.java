package io.seckill.drill.run;

import io.seckill.drill.history.Answer;
import io.seckill.drill.history.Event;
import io.seckill.drill.history.Purchase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Clients that buy, repeat, time out, and ask for their own and others' results. The seed decides
 * what each client does; only the timing of the threads is random.
 */
final class Buyers {
  private static final long PRYING_USER = 8_999_999_999L;
  private static final Duration PATIENCE = Duration.ofMillis(2_500);
  private static final Duration IMPATIENCE = Duration.ofMillis(15);
  private static final int KEYS = 2;
  private static final long PAUSE_NANOS = 30_000_000;

  /** Longest pause after a request without an answer. */
  private static final long AWAY_NANOS = 1_000_000_000;

  private final Recorder recorder;
  private final Plan plan;
  private final long productId;
  private final Supplier<List<Shop>> shops;
  private final long seed;
  private final Map<Purchase, String> requestIds = new ConcurrentHashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean over;

  /**
   * @param shops the nodes that are up; may change
   */
  Buyers(Recorder recorder, Plan plan, long productId, Supplier<List<Shop>> shops, long seed) {
    this.recorder = recorder;
    this.plan = plan;
    this.productId = productId;
    this.shops = shops;
    this.seed = seed;
  }

  void start() {
    for (int client = 0; client < plan.clients(); client++) {
      int number = client;
      Thread thread = new Thread(() -> act(number), "buyer-" + client);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  void stop() {
    over = true;
    for (Thread thread : threads) {
      try {
        thread.join(TimeUnit.SECONDS.toMillis(30));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void act(int client) {
    Random random = new Random(seed * 1_000 + client);
    while (!over) {
      long userId = 1 + random.nextInt(plan.users());
      String key = "k" + random.nextInt(KEYS);
      int quantity = 1 + (random.nextInt(5) == 0 ? random.nextInt(plan.maxQuantity()) : 0);
      Duration patience = random.nextInt(12) == 0 ? IMPATIENCE : PATIENCE;
      int mood = random.nextInt(10);
      List<Shop> open = shops.get();
      Shop shop = open.get(random.nextInt(open.size()));
      Answer answer;
      if (mood < 6) {
        answer = attempt(shop, client, userId, key, quantity, patience);
      } else if (mood < 9) {
        answer = look(shop, client, userId, key, userId, patience);
      } else {
        answer = pry(shop, client, userId, key);
      }
      boolean away = answer.http() == 0;
      LockSupport.parkNanos((long) ((away ? AWAY_NANOS : PAUSE_NANOS) * random.nextDouble()));
    }
  }

  Answer attempt(Shop shop, int client, long userId, String key, int quantity, Duration patience) {
    long at = recorder.now();
    Answer answer = shop.buy(productId, userId, key, quantity, patience);
    recorder.add(
        new Event.Attempt(at, recorder.now(), client, productId, userId, key, quantity, answer));
    if (answer.requestId() != null) {
      requestIds.putIfAbsent(new Purchase(productId, userId, key), answer.requestId());
    }
    return answer;
  }

  Answer look(Shop shop, int client, long userId, String key, long asker, Duration patience) {
    long at = recorder.now();
    Answer answer = shop.look(productId, key, asker, patience);
    recorder.add(new Event.Look(at, recorder.now(), client, productId, userId, key, asker, answer));
    return answer;
  }

  /** Asks as another user, with the same key and with the owner's requestId. */
  private Answer pry(Shop shop, int client, long userId, String key) {
    String requestId = requestIds.get(new Purchase(productId, userId, key));
    if (requestId == null) {
      return look(shop, client, userId, key, PRYING_USER, PATIENCE);
    }
    long at = recorder.now();
    Answer answer = shop.lookByRequestId(requestId, PRYING_USER, PATIENCE);
    recorder.add(
        new Event.Look(at, recorder.now(), client, productId, userId, key, PRYING_USER, answer));
    return answer;
  }
}
