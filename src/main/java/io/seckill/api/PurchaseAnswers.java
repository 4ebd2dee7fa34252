package io.seckill.api;

import io.seckill.answer.Answer;
import io.seckill.answer.JsonObject;
import io.seckill.answer.Problem;
import io.seckill.answer.Refusal;
import io.seckill.answer.Refusals;
import io.seckill.domain.Purchase;
import io.seckill.domain.Status;
import java.time.Instant;
import java.util.List;

/**
 * What a buyer is answered for each reply of {@code reserve.lua}. Replies are as the script's
 * header comment gives them: an integer code, then texts and integers.
 */
public final class PurchaseAnswers {
  private static final String RETRY_SECONDS = Integer.toString(Refusals.RETRY_SECONDS);
  private static final long MILLIS = 1000;
  private static final Refusal DEGRADED =
      Refusal.of(
              503,
              Refusals.degraded().code(),
              "The sale cannot be asked just now. Ask again with the same Idempotency-Key, the"
                  + " idemKey of this answer: if units were reserved for it, you get them.")
          .retryAfter(Refusals.RETRY_SECONDS);

  /** Code 1: the units are reserved. */
  public Answer reserved(Purchase purchase) {
    return pending(purchase, purchase.requestId());
  }

  /** Code 3: the key was reserved before; its answer, whatever became of it. */
  public Answer replay(Purchase purchase, List<?> reply) {
    String requestId = text(reply, 1);
    String status = text(reply, 2);
    if (Status.PENDING.name().equals(status)) {
      return pending(purchase, requestId);
    }
    return Answer.json(
        200,
        outcome(
            requestId,
            purchase.idemKey(),
            purchase.productId(),
            status,
            text(reply, 3),
            text(reply, 4)));
  }

  /** Code 4: the key was reserved with another quantity. */
  public Refusal keyReused(Purchase purchase) {
    return Refusal.of(422, "KEY_REUSED", "This Idempotency-Key was used for another quantity.")
        .with("idemKey", purchase.idemKey());
  }

  /** Code 2: the buyer holds a live purchase under another key, which the answer names. */
  public Refusal alreadyBought(Purchase purchase, List<?> reply) {
    return Refusal.of(409, "FAIL_DUPLICATE", "You already have a purchase of this product.")
        .with("idemKey", text(reply, 2))
        .with("productId", purchase.productId())
        .with("requestId", text(reply, 1));
  }

  /** Code 0: fewer units are left than asked for. */
  public Answer soldOut(Purchase purchase, List<?> reply) {
    return Problem.of(
        conflict(purchase, "FAIL_SOLD_OUT", "Not enough units are left.")
            .with("available", number(reply, 1)));
  }

  /** Code 5: the sale's window has not opened. */
  public Refusal notStarted(Purchase purchase, List<?> reply) {
    long startsAt = number(reply, 1);
    long wait = startsAt - number(reply, 2);
    long seconds = Math.max(1, (wait + MILLIS - 1) / MILLIS);
    return conflict(purchase, "FAIL_NOT_STARTED", "The sale has not started.")
        .with("startsAt", Instant.ofEpochMilli(startsAt))
        .retryAfter((int) Math.min(Integer.MAX_VALUE, seconds));
  }

  /** Code 6: the sale's window has closed, or the sale was ended. */
  public Refusal ended(Purchase purchase) {
    return conflict(purchase, "FAIL_ENDED", "The sale has ended.");
  }

  /** Code 7: the sale is paused. */
  public Refusal paused(Purchase purchase) {
    return conflict(purchase, "FAIL_PAUSED", "The sale is paused.");
  }

  /** Code 8: more units than one buyer may have. */
  public Refusal overLimit(Purchase purchase, List<?> reply) {
    return conflict(purchase, "FAIL_LIMIT", "More units than one buyer may have.")
        .with("maxQuantity", number(reply, 1));
  }

  /** Nobody can say now whether units were reserved: the same key asks again. */
  public static Refusal degraded(Purchase purchase) {
    return DEGRADED.with("idemKey", purchase.idemKey()).with("productId", purchase.productId());
  }

  /** The body that tells what became of a request; empty order id and reason are left out. */
  public static byte[] outcome(
      String requestId,
      String idemKey,
      long productId,
      String status,
      String orderId,
      String reason) {
    JsonObject json =
        new JsonObject()
            .put("requestId", requestId)
            .put("idemKey", idemKey)
            .put("productId", productId)
            .put("status", status);
    if (orderId != null && !orderId.isEmpty()) {
      json.put("orderId", Long.parseLong(orderId));
    }
    if (reason != null && !reason.isEmpty()) {
      json.put("reason", reason);
    }
    return json.toBytes();
  }

  private static Answer pending(Purchase purchase, String requestId) {
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
        .with("Retry-After", RETRY_SECONDS);
  }

  private static Refusal conflict(Purchase purchase, String code, String detail) {
    return Refusal.of(409, code, detail)
        .with("idemKey", purchase.idemKey())
        .with("productId", purchase.productId());
  }

  static String text(List<?> reply, int index) {
    Object value = index < reply.size() ? reply.get(index) : null;
    return value == null ? "" : value.toString();
  }

  static long number(List<?> reply, int index) {
    Object value = reply.get(index);
    return value instanceof Number number ? number.longValue() : Long.parseLong(value.toString());
  }
}
