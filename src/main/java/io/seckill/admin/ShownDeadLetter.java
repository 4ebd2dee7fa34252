package io.seckill.admin;

/**
 * A row of {@code sql/dead-letters-page.sql} or {@code sql/dead-letter-row.sql}. Times are epoch
 * milliseconds.
 *
 * @param requestId null when the record is not an order; the same for productId and userId
 * @param payload the first bytes of the failed record
 * @param payloadLength length of the whole record in bytes
 * @param parkedUntil null when it does not wait
 */
public record ShownDeadLetter(
    long id,
    String origin,
    String source,
    String requestId,
    Long productId,
    Long userId,
    byte[] payload,
    long payloadLength,
    String cause,
    int attempts,
    String state,
    Long parkedUntil,
    long createdAt,
    long updatedAt) {}
