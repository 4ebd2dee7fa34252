package io.seckill.deadletter;

/**
 * A row of {@code sql/find-dead-letter.sql} or {@code sql/lock-dead-letter.sql}.
 *
 * @param payload the bytes of the failed record
 */
public record DeadLetterRow(long id, String source, byte[] payload, DeadLetterState state) {}
