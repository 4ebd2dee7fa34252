-- The epochs of the products in a batch, locked until the transaction ends: in strategy B, where the same row is changed later, and not shared.
-- Parameters: the variable batch, an OrderBatch. Returns: id, epoch.
SELECT id, epoch
FROM products
WHERE id IN (:#in:${variable.batch.productIds})
ORDER BY id
FOR UPDATE
