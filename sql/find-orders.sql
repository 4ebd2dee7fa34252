-- The rows of a batch: the read-back after an insert, and what the sweeper looks up.
-- Parameters: the variable batch, an OrderBatch. Returns: id, request_id, product_id, user_id, quantity, idem_key, status, reason, attempt,
-- outbox_id.
SELECT id, request_id, product_id, user_id, quantity, idem_key, status, reason, attempt, outbox_id
FROM seckill_orders
WHERE request_id IN (:#in:${variable.batch.requestIds})
