-- The epochs of the products in a batch, without a lock: in strategy B the row is locked at the end, where the epoch is compared again.
-- (Shared now and updated later, the rows of a busy product would deadlock its writers.)
-- Parameters: the variable batch, an OrderBatch. Returns: id, epoch.
SELECT id, epoch
FROM products
WHERE id IN (:#in:${variable.batch.productIds})
