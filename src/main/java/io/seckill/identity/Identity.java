package io.seckill.identity;

import io.seckill.answer.Refusal;
import io.seckill.http.Request;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** Tells who asks. A user id from anywhere but where the implementation looks is ignored. */
public interface Identity {
  /**
   * The user id, positive, as far as it can be told at once; empty where {@link #verify} has to be
   * asked. Never blocks.
   *
   * @throws Refusal 401 UNAUTHENTICATED without an identity; 503 DEGRADED while none can be told
   */
  OptionalLong known(Request request);

  /**
   * Finds the user id on a thread of its own. Never blocks; fails with the {@link Refusal} of a
   * request whose identity is not valid.
   *
   * @throws Refusal 503 DEGRADED when too many others wait
   */
  CompletableFuture<Long> verify(Request request);
}
