package io.seckill.drill.run;

import io.seckill.drill.history.Event;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** An operator of one sale. Records what was asked and what became of it. */
final class Operator {
  private static final long PAUSE_NANOS = 200_000_000;

  private final Recorder recorder;
  private final long productId;
  private final Supplier<Shop> shop;

  /**
   * @param shop the node to ask; may change
   */
  Operator(Recorder recorder, long productId, Supplier<Shop> shop) {
    this.recorder = recorder;
    this.productId = productId;
    this.shop = shop;
  }

  Shop.Reply end() {
    return ask("END", "/end", null, null);
  }

  Shop.Reply settle() {
    return ask("SETTLE", "/settle", null, null);
  }

  Shop.Reply rebuild() {
    return ask("REBUILD", "/rebuild", null, null);
  }

  Shop.Reply pause() {
    return ask("PAUSE", "/pause", null, null);
  }

  Shop.Reply resume() {
    return ask("RESUME", "/resume", null, null);
  }

  /**
   * @param key asked again with the same key it adds the units once
   */
  Shop.Reply restock(long units, String key) {
    return ask("RESTOCK", "/restock", Map.of("units", units), key);
  }

  private Shop.Reply ask(String action, String path, Map<String, ?> body, String key) {
    long at = recorder.now();
    Shop.Reply reply = shop.get().admin("POST", "/admin/sales/" + productId + path, body, key);
    recorder.add(
        new Event.Asked(
            at,
            recorder.now(),
            productId,
            action,
            reply.status(),
            reply.isOk() ? null : reply.code()));
    return reply;
  }

  /**
   * Ends the sale, however often that must be asked; false when the time is over.
   *
   * @param mayRebuild whether a rebuild is done where it is asked for
   */
  boolean awaitEnd(long millis, BooleanSupplier mayRebuild) {
    return await(
        millis,
        () -> {
          Shop.Reply reply = end();
          if ("REBUILD_REQUIRED".equals(reply.code()) && mayRebuild.getAsBoolean()) {
            awaitRebuilt(0);
          }
          return reply.isOk() || isOver(reply);
        });
  }

  /** Whether it was refused because the sale has ended. */
  static boolean isOver(Shop.Reply reply) {
    return "SALE_ENDED".equals(reply.code()) || "SETTLED".equals(reply.code());
  }

  /**
   * Settles the sale, and rebuilds its book where that is asked for; false when the time is over.
   */
  boolean awaitSettlement(long millis) {
    return await(
        millis,
        () -> {
          Shop.Reply reply = settle();
          if ("REBUILD_REQUIRED".equals(reply.code())) {
            awaitRebuilt(0);
          }
          return reply.isOk();
        });
  }

  /**
   * Rebuilds the book; false when the time is over, or more is sold than there is. A settled sale
   * needs no book.
   */
  boolean awaitRebuilt(long millis) {
    boolean[] done = {false};
    await(
        millis,
        () -> {
          Shop.Reply reply = rebuild();
          if (reply.isOk()) {
            recorder.add(new Event.Rebuilt(recorder.now(), productId));
          }
          done[0] = reply.isOk() || "SETTLED".equals(reply.code());
          return done[0] || "OVERSOLD".equals(reply.code());
        });
    return done[0];
  }

  /** Adds units, once, however often that must be asked; false when it is refused. */
  boolean awaitRestocked(long units, String key, long millis) {
    boolean[] done = {false};
    await(
        millis,
        () -> {
          Shop.Reply reply = restock(units, key);
          done[0] = reply.isOk();
          return reply.status() > 0 && reply.status() < 500;
        });
    if (done[0]) {
      recorder.add(new Event.Restocked(recorder.now(), productId, units));
    }
    return done[0];
  }

  private interface Step {
    boolean done();
  }

  private static boolean await(long millis, Step step) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!step.done()) {
      if (System.nanoTime() >= deadline) {
        return false;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return true;
  }
}
