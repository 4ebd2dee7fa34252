package io.seckill.recovery;

import io.seckill.domain.Status;

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
   * The entry of a row.
   *
   * @throws IllegalStateException when the row is not one that this application writes
   */
  static BookEntry of(SnapshotRow row) {
    if (row.status() == Status.PENDING) {
      throw new IllegalStateException("The row of " + row.requestId() + " is PENDING");
    }
    String key = clientKey(row.idemKey());
    String user = Long.toString(row.userId());
    return new BookEntry(
        row.status() == Status.SUCCESS ? user : user + "|" + key,
        row.id(),
        row.requestId(),
        key,
        row.quantity(),
        row.status(),
        row.reason() == null ? "" : row.reason().replaceAll("[|\\p{Cntrl}]", " "),
        row.outboxId() == null ? "" : row.outboxId());
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
