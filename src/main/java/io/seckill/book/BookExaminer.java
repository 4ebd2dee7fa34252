package io.seckill.book;

import java.io.Closeable;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the sales that {@link AdmissionGuard} has closed, once {@link BookVerifier} finds their
 * books current; tries on, in the background, while any is closed.
 */
public final class BookExaminer implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(BookExaminer.class);
  private static final long PAUSE_MILLIS = 250;
  private static final long LOOK_LIMIT_MILLIS = 5_000;

  private final AdmissionGuard guard;
  private final LongFunction<Optional<Book>> books;
  private final Supplier<BookVerifier> verifier;
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final Map<Long, String> told = new HashMap<>();
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "seckill-admission");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param books reads a book, blocking
   * @param verifier asked for at each examination, so it may be bound later than this
   */
  public BookExaminer(
      AdmissionGuard guard, LongFunction<Optional<Book>> books, Supplier<BookVerifier> verifier) {
    this.guard = guard;
    this.books = books;
    this.verifier = verifier;
    guard.onClosed(() -> schedule(0));
  }

  private void schedule(long delayMillis) {
    if (scheduled.compareAndSet(false, true)) {
      try {
        executor.schedule(this::run, delayMillis, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        LOG.debug("Stopping: no more books are examined");
      }
    }
  }

  /**
   * Looks at the closed sales at once, for somebody who has just made a book. Returns when each was
   * looked at, or after five seconds; what is not found current stays closed.
   */
  public void lookNow() throws InterruptedException {
    try {
      executor.submit(this::run).get(LOOK_LIMIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException | TimeoutException e) {
      LOG.debug("Not all closed sales were looked at: {}", e.toString());
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private void run() {
    scheduled.set(false);
    try {
      examine();
    } catch (Throwable e) {
      // an Error as well: nobody else opens what is closed
      tell(0, "not known: " + e);
    }
    if (!guard.isExamined() || !guard.closed().isEmpty()) {
      schedule(PAUSE_MILLIS);
    }
  }

  private void examine() throws Exception {
    BookVerifier judge = verifier.get();
    long version = guard.version();
    if (!guard.isExamined()) {
      Collection<Long> products = judge.products();
      guard.listed(version, products);
      told.remove(0L);
    }
    for (long productId : guard.closed()) {
      BookVerifier.Verdict verdict;
      try {
        verdict = judge.judge(productId, books.apply(productId));
      } catch (Throwable e) {
        // an Error as well: what fails for one sale keeps no other shut
        verdict = BookVerifier.Verdict.unknown("not known: " + e);
      }
      if (verdict.current()) {
        guard.current(version, productId);
        if (told.remove(productId) != null) {
          LOG.info("Sale {}: its book is current, admissions are open", productId);
        }
      } else {
        guard.stays(productId, verdict);
        tell(productId, verdict.reason());
      }
    }
  }

  private void tell(long productId, String reason) {
    if (!reason.equals(told.put(productId, reason))) {
      LOG.warn(
          "{}: admissions stay closed, for it is not shown that the book is current: {}",
          productId == 0 ? "All sales" : "Sale " + productId,
          reason);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
