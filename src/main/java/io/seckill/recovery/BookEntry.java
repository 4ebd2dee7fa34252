package io.seckill.recovery;

import io.seckill.domain.Status;
import java.util.Map;

/**
 * The entry of a book's hash {@code users} that a row of MySQL makes: an order under its buyer's
 * id, a tombstone under {@code userId|key}, where its key keeps its answer for ever.
 *
 * @param field field of the hash
 * @param key the client's key, without product and user
 * @param outboxId empty when the row has none
 */
record BookEntry(
    String field,
    long orderId,
    String requestId,
    String key,
    int quantity,
    Status status,
    String reason,
    String outboxId) {

  /**
   * Reads a row of {@code sql/rebuild-orders.sql}.
   *
   * @throws IllegalStateException when the row is not one that this application writes
   */
  static BookEntry of(Map<String, Object> row) {
    String requestId = (String) row.get("request_id");
    Status status = Status.valueOf((String) row.get("status"));
    String key = clientKey((String) row.get("idem_key"));
    String user = row.get("user_id").toString();
    String reason = (String) row.get("reason");
    String outboxId = (String) row.get("outbox_id");
    if (status == Status.PENDING) {
      throw new IllegalStateException("The row of " + requestId + " is PENDING");
    }
    return new BookEntry(
        status == Status.SUCCESS ? user : user + "|" + key,
        ((Number) row.get("id")).longValue(),
        requestId,
        key,
        ((Number) row.get("quantity")).intValue(),
        status,
        reason == null ? "" : reason.replaceAll("[|\\p{Cntrl}]", " "),
        outboxId == null ? "" : outboxId);
  }

  private static String clientKey(String idemKey) {
    String[] parts = idemKey.split(":", 3);
    if (parts.length != 3) {
      throw new IllegalStateException("Not productId:userId:key: " + idemKey);
    }
    return parts[2];
  }

  /** The value in the hash: {@code requestId|key|quantity|status|outboxId|orderId|reason}. */
  String value() {
    return String.join(
        "|",
        requestId,
        key,
        Integer.toString(quantity),
        status.name(),
        outboxId,
        status == Status.SUCCESS ? Long.toString(orderId) : "",
        reason);
  }
}
