-- The ids that the first and the last order of a batch have got. The server numbers the rows of a batch in their order, so these two tell
-- whether the batch has all ids between them.
-- Parameters: the variable batch, an OrderBatch. Returns: id, ascending.
SELECT id
FROM seckill_orders
WHERE request_id IN (:#in:${variable.batch.ends})
ORDER BY id
