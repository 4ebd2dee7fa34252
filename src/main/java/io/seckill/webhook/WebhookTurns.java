package io.seckill.webhook;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Shares the senders of this node among endpoints. A turn is the right to send to one endpoint, one
 * delivery after the other, for a while. An endpoint has few turns at a time, so one that is slow
 * holds up no other; one that fails again and again has none until its circuit breaker lets a few
 * deliveries through to try. Thread-safe.
 */
public final class WebhookTurns {
  private static final int WINDOW = 20;
  private static final int LEAST_CALLS = 10;
  private static final int TRIALS = 2;

  private final int most;
  private final int mostOfOne;
  private final long length;
  private final CircuitBreakerRegistry breakers;
  private final Map<Long, Integer> taken = new HashMap<>();
  private int total;

  /**
   * One endpoint's turn.
   *
   * @param endAt by {@link System#nanoTime}
   */
  public record Turn(long webhookId, long endAt) {}

  /**
   * @param most turns at a time
   * @param mostOfOne turns of one endpoint at a time
   * @param length after which a turn takes no further delivery
   * @param breakerWait how long a circuit breaker stays open
   */
  public WebhookTurns(int most, int mostOfOne, Duration length, Duration breakerWait) {
    this.most = most;
    this.mostOfOne = mostOfOne;
    this.length = length.toNanos();
    breakers =
        CircuitBreakerRegistry.of(
            CircuitBreakerConfig.custom()
                .slidingWindowSize(WINDOW)
                .minimumNumberOfCalls(LEAST_CALLS)
                .permittedNumberOfCallsInHalfOpenState(TRIALS)
                .waitDurationInOpenState(breakerWait)
                .build());
  }

  /** New turns for endpoints with deliveries that are due. Each must {@link #end}. */
  public synchronized List<Turn> begin(List<DueEndpoint> due) {
    List<Turn> turns = new ArrayList<>();
    List<DueEndpoint> shuffled = new ArrayList<>(due);
    Collections.shuffle(shuffled);
    for (int i = 0; i < mostOfOne; i++) {
      for (DueEndpoint endpoint : shuffled) {
        int ofThis = taken.getOrDefault(endpoint.id(), 0);
        if (total < most && ofThis <= i) {
          taken.put(endpoint.id(), ofThis + 1);
          total++;
          turns.add(new Turn(endpoint.id(), System.nanoTime() + length));
        }
      }
    }
    return turns;
  }

  /**
   * Whether the turn may take one more delivery. After true tell what came of it: {@link #sent} or
   * {@link #none}.
   */
  public boolean mayTake(Turn turn) {
    return turn.endAt() - System.nanoTime() > 0 && breaker(turn.webhookId()).tryAcquirePermission();
  }

  /** The turn has not tried a delivery: none is due. Returns the turn as one that takes no more. */
  public Turn none(Turn turn) {
    breaker(turn.webhookId()).releasePermission();
    return new Turn(turn.webhookId(), System.nanoTime());
  }

  /** The turn has tried a delivery. */
  public void sent(Attempt attempt) {
    CircuitBreaker breaker = breaker(attempt.webhookId());
    if (attempt.state() == DeliveryState.DELIVERED) {
      breaker.onSuccess(attempt.tookMs(), TimeUnit.MILLISECONDS);
    } else {
      breaker.onError(
          attempt.tookMs(), TimeUnit.MILLISECONDS, new IllegalStateException(attempt.answer()));
    }
  }

  /** The turn is over. */
  public synchronized void end(Turn turn) {
    total--;
    taken.merge(turn.webhookId(), -1, Integer::sum);
    taken.remove(turn.webhookId(), 0);
  }

  private CircuitBreaker breaker(long webhookId) {
    return breakers.circuitBreaker(Long.toString(webhookId));
  }
}
