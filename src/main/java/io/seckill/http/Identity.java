package io.seckill.http;

/** Tells who asks. A user id from anywhere but where the implementation looks is ignored. */
public interface Identity {
  /**
   * The user id, positive.
   *
   * @throws Refusal 401 UNAUTHENTICATED without a valid identity
   */
  long userId(Request request);
}
