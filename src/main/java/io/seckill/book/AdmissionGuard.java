package io.seckill.book;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether this node admits reservations of a sale. A new run_id of Redis closes every sale
 * at once, because Redis may have lost data; {@link BookExaminer} opens each sale whose book is
 * current. A question costs one volatile read.
 */
public final class AdmissionGuard {
  private static final Logger LOG = LoggerFactory.getLogger(AdmissionGuard.class);

  private final AtomicReference<State> state =
      new AtomicReference<>(new State("", 0, true, Set.of()));
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final Map<Long, BookVerifier.Verdict> verdicts = new ConcurrentHashMap<>();

  /**
   * @param version rises whenever sales are closed; a judgement of an earlier version opens nothing
   * @param all true while all sales are closed because the list of sales is not read yet
   * @param closed the sales that are closed; all others are open
   */
  private record State(String runId, long version, boolean all, Set<Long> closed) {
    private boolean admits(long productId) {
      return !all && (closed.isEmpty() || !closed.contains(productId));
    }
  }

  /** Whether reservations of this sale may go to Redis. */
  public boolean admits(long productId) {
    return state.get().admits(productId);
  }

  /**
   * Tells later which books are trusted in an answer that was asked for after this call: those of
   * sales that were open, as long as nothing was closed since. What a book said before it was
   * opened proves nothing, even if its answer comes afterwards.
   */
  public LongPredicate trust() {
    State asked = state.get();
    return productId -> asked.version == state.get().version && asked.admits(productId);
  }

  /**
   * Whether the closed sales are known: false from a new run_id until the list of sales is read.
   */
  public boolean isExamined() {
    return !state.get().all;
  }

  /**
   * The run id of the Redis whose books are trusted or will be, once they are judged; empty while
   * none is known.
   */
  public String runId() {
    return state.get().runId;
  }

  /** The known closed sales. */
  public Set<Long> closed() {
    return state.get().closed;
  }

  /** Why sales are closed; without the sales that are not examined yet. */
  public Map<Long, BookVerifier.Verdict> verdicts() {
    Map<Long, BookVerifier.Verdict> found = new HashMap<>(verdicts);
    found.keySet().retainAll(state.get().closed);
    return found;
  }

  /** Keeps the reason why a sale stays closed. */
  void stays(long productId, BookVerifier.Verdict verdict) {
    verdicts.put(productId, verdict);
  }

  /**
   * Closes one sale until its book is judged current. A rebuild begins with this.
   *
   * @return all closed sales
   */
  public Set<Long> close(long productId) {
    State now = state.updateAndGet(old -> with(old, productId));
    listeners.forEach(Runnable::run);
    return now.closed;
  }

  /**
   * The listener runs after sales were closed, on the thread that closed them. It must not block.
   */
  void onClosed(Runnable listener) {
    listeners.add(listener);
  }

  /** Takes the run_id that was read on a connection; empty when Redis gives none. */
  public void observed(String runId) {
    if (runId.isEmpty()) {
      LOG.error(
          "Redis gives no run_id (INFO server), without which lost books stay unnoticed: all sales are closed");
      state.updateAndGet(old -> next(old, ""));
      return;
    }
    State before = state.getAndUpdate(old -> old.runId.equals(runId) ? old : next(old, runId));
    if (!before.runId.equals(runId)) {
      if (!before.runId.isEmpty()) {
        LOG.warn(
            "Redis has a new run_id ({}, it was {}): each sale is closed until its book is shown to be current",
            runId,
            before.runId);
      }
      listeners.forEach(Runnable::run);
    }
  }

  public long version() {
    return state.get().version;
  }

  /** Closes the listed sales and opens all others, unless something was closed meanwhile. */
  public void listed(long version, Collection<Long> products) {
    update(
        version,
        old -> {
          if (old.runId.isEmpty()) {
            return old;
          }
          Set<Long> closed = new HashSet<>(old.closed);
          closed.addAll(products);
          return new State(old.runId, old.version, false, Set.copyOf(closed));
        });
  }

  /** Opens a sale, unless something was closed meanwhile. */
  void current(long version, long productId) {
    update(
        version,
        old -> {
          Set<Long> closed = new HashSet<>(old.closed);
          closed.remove(productId);
          verdicts.remove(productId);
          return new State(old.runId, old.version, old.all, Set.copyOf(closed));
        });
  }

  private void update(long version, UnaryOperator<State> change) {
    state.updateAndGet(old -> old.version == version ? change.apply(old) : old);
  }

  private static State next(State old, String runId) {
    return new State(runId, old.version + 1, true, Set.of());
  }

  private static State with(State old, long productId) {
    Set<Long> closed = new HashSet<>(old.closed);
    closed.add(productId);
    return new State(old.runId, old.version + 1, old.all, Set.copyOf(closed));
  }
}
