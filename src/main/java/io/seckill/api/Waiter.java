package io.seckill.api;

import io.seckill.book.script.LookupReply.Found;
import io.seckill.domain.Purchase;
import io.vertx.core.impl.ContextInternal;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A buyer who waits for the end of his purchase. Its callback runs once, on the event loop on which
 * he began to wait.
 */
final class Waiter {
  private static final long NO_TIMER = -1;

  private final Purchase purchase;
  private final ContextInternal loop;
  private final Consumer<Waiter> leave;
  private final Consumer<Found> whenOver;
  private final long since = System.nanoTime();
  private volatile long lookedAt = since;
  private long timer = NO_TIMER;
  private boolean over;

  /**
   * @param leave gets this waiter before the callback runs
   * @param whenOver the callback: gets the end, or null when the time is over
   */
  Waiter(
      Purchase purchase, ContextInternal loop, Consumer<Waiter> leave, Consumer<Found> whenOver) {
    this.purchase = purchase;
    this.loop = loop;
    this.leave = leave;
    this.whenOver = whenOver;
  }

  Purchase purchase() {
    return purchase;
  }

  /** Gives up after this time. Called on the event loop. */
  void giveUpAfter(int seconds) {
    timer = loop.setTimer(TimeUnit.SECONDS.toMillis(seconds), id -> finish(null));
  }

  /** Tells the end; null when nothing more is waited for. Any thread; repeated calls do nothing. */
  void end(Found found) {
    loop.runOnContext(ignored -> finish(found));
  }

  private void finish(Found found) {
    if (over) {
      return;
    }
    over = true;
    if (timer != NO_TIMER) {
      loop.owner().cancelTimer(timer);
    }
    leave.accept(this);
    whenOver.accept(found);
  }

  /** Whether the book was not asked for it during these nanoseconds. */
  boolean isDue(long now, long firstAfter, long nextAfter) {
    return now - lookedAt > (lookedAt == since ? firstAfter : nextAfter);
  }

  /** Notes that the book is asked for it now. */
  void looked(long now) {
    lookedAt = now;
  }
}
