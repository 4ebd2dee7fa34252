package io.seckill.recovery;

import io.seckill.domain.Status;

/**
 * A row of {@code sql/rebuild-orders.sql}.
 *
 * @param idemKey the key with product and user
 * @param reason null for an order
 * @param outboxId null when the row has none
 */
record SnapshotRow(
    long id,
    String requestId,
    long userId,
    int quantity,
    String idemKey,
    Status status,
    String reason,
    String outboxId) {}
