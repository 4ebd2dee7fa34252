package io.seckill.identity;

import io.seckill.answer.Refusal;
import io.seckill.http.Request;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Finds out who sends a request. Each implementation reads one place of the request and ignores
 * user ids in any other.
 */
public interface Identity {
  /**
   * The user id, a positive number; empty when only {@link #verify} can find it. Never blocks.
   *
   * @throws Refusal 401 UNAUTHENTICATED without an identity; 503 DEGRADED while identities cannot
   *     be checked
   */
  OptionalLong known(Request request);

  /**
   * Finds the user id on a separate thread. Never blocks; the future fails with a {@link Refusal}
   * when the identity is not valid.
   *
   * @throws Refusal 503 DEGRADED when too many tokens wait
   */
  CompletableFuture<Long> verify(Request request);
}
