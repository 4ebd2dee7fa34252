package io.seckill.api;

import io.seckill.answer.Answer;
import io.seckill.answer.JsonObject;
import io.seckill.answer.Problem;
import io.seckill.answer.Refusal;
import io.seckill.answer.Refusals;
import io.seckill.domain.Purchase;
import io.seckill.domain.Status;
import java.time.Instant;

/** Makes the answer for each outcome of a purchase. */
public final class PurchaseAnswers {
  private static final long MILLIS = 1000;
  private static final Refusal DEGRADED =
      Refusal.of(
              503,
              Refusals.degraded().code(),
              "The sale is not available now. Ask again with the same Idempotency-Key, the idemKey of this answer: if units were reserved for it, you get them.")
          .retryAfter(Refusals.RETRY_SECONDS);

  private final PendingTime time;

  public PurchaseAnswers(PendingTime time) {
    this.time = time;
  }

  /** The units are reserved. */
  public Answer reserved(Purchase purchase) {
    return pending(purchase, purchase.requestId());
  }

  /**
   * The key was reserved before: answers with the present status of that reservation.
   *
   * @param orderId null when it is not an order
   * @param reason null when there is none
   */
  public Answer replay(
      Purchase purchase, String requestId, Status status, Long orderId, String reason) {
    if (status == Status.PENDING) {
      return pending(purchase, requestId);
    }
    return Answer.json(
        200, outcome(requestId, purchase.idemKey(), purchase.productId(), status, orderId, reason));
  }

  /** The key was reserved with another quantity. */
  public Refusal keyReused(Purchase purchase) {
    return Refusal.of(422, "KEY_REUSED", "This Idempotency-Key was used for another quantity.")
        .with("idemKey", purchase.idemKey());
  }

  /**
   * The buyer holds a live purchase under another key. The answer names that purchase's key and
   * request id.
   */
  public Refusal alreadyBought(Purchase purchase, String requestId, String key) {
    return Refusal.of(409, "FAIL_DUPLICATE", "You already have a purchase of this product.")
        .with("idemKey", key)
        .with("productId", purchase.productId())
        .with("requestId", requestId);
  }

  /** Fewer units are left than asked for. */
  public Answer soldOut(Purchase purchase, long available) {
    return Problem.of(
        conflict(purchase, "FAIL_SOLD_OUT", "Not enough units are left.")
            .with("available", available));
  }

  /** The sale's window has not opened; both times in ms, of the same clock. */
  public Refusal notStarted(Purchase purchase, long startsAt, long now) {
    long wait = startsAt - now;
    long seconds = Math.max(1, (wait + MILLIS - 1) / MILLIS);
    return conflict(purchase, "FAIL_NOT_STARTED", "The sale has not started.")
        .with("startsAt", Instant.ofEpochMilli(startsAt))
        .retryAfter((int) Math.min(Integer.MAX_VALUE, seconds));
  }

  /** The sale's window has closed, or the sale was ended. */
  public Refusal ended(Purchase purchase) {
    return conflict(purchase, "FAIL_ENDED", "The sale has ended.");
  }

  /** The sale is paused. */
  public Refusal paused(Purchase purchase) {
    return conflict(purchase, "FAIL_PAUSED", "The sale is paused.");
  }

  /** More units than one buyer may have. */
  public Refusal overLimit(Purchase purchase, long maxQuantity) {
    return conflict(purchase, "FAIL_LIMIT", "One buyer may not have so many units.")
        .with("maxQuantity", maxQuantity);
  }

  /** It is unknown whether units were reserved; the buyer asks again with the same key. */
  public static Refusal degraded(Purchase purchase) {
    return DEGRADED.with("idemKey", purchase.idemKey()).with("productId", purchase.productId());
  }

  /** The body that tells a request's status; leaves out an order id or reason that is null. */
  public static byte[] outcome(
      String requestId,
      String idemKey,
      long productId,
      Status status,
      Long orderId,
      String reason) {
    JsonObject json =
        new JsonObject()
            .put("requestId", requestId)
            .put("idemKey", idemKey)
            .put("productId", productId)
            .put("status", status.name());
    if (orderId != null) {
      json.put("orderId", orderId.longValue());
    }
    if (reason != null) {
      json.put("reason", reason);
    }
    return json.toBytes();
  }

  private Answer pending(Purchase purchase, String requestId) {
    String key = purchase.idemKey();
    long productId = purchase.productId();
    byte[] body =
        new JsonObject()
            .put("requestId", requestId)
            .put("idemKey", key)
            .put("productId", productId)
            .put("status", Status.PENDING.name())
            .toBytes();
    return Answer.json(202, body)
        .with("Location", "/seckill/result?idemKey=" + key + "&productId=" + productId)
        .with("Retry-After", time.seconds());
  }

  private static Refusal conflict(Purchase purchase, String code, String detail) {
    return Refusal.of(409, code, detail)
        .with("idemKey", purchase.idemKey())
        .with("productId", purchase.productId());
  }
}
