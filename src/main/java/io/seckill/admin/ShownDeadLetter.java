package io.seckill.admin;

/**
 * A row of {@code sql/dead-letters-page.sql} or {@code sql/dead-letter-row.sql}. Times are epoch
 * milliseconds.
 *
 * @param requestId null where the record holds no order; so are productId and userId
 * @param payload the first bytes of the failed record
 * @param payloadLength how many bytes it has in all
 * @param parkedUntil null where it does not wait
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
