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
 * Opens the sales that {@link AdmissionGuard} has closed, as soon as {@link BookVerifier} finds
 * their books current. It tries again in the background while any sale is closed.
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
   * @param verifier supplies the verifier at each examination, so that it may be bound later
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
   * Examines the closed sales at once, for callers that have just made a book. Returns after all
   * are examined, or after five seconds. Sales whose books are not current stay closed.
   */
  public void lookNow() throws InterruptedException {
    try {
      executor.submit(this::run).get(LOOK_LIMIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException | TimeoutException e) {
      LOG.debug("Some closed sales were not examined: {}", e.toString());
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private void run() {
    scheduled.set(false);
    try {
      examine();
    } catch (Throwable e) {
      // catches an Error as well, because nothing else opens closed sales
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
        // catches an Error as well, so that one sale does not keep the others closed
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
          "{}: admissions stay closed, because the book is not shown to be current: {}",
          productId == 0 ? "All sales" : "Sale " + productId,
          reason);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
