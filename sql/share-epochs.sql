-- The epochs of the products in a batch. The rows stay shared until the transaction ends: a rebuild, which raises the epoch, waits for
-- the writers that read the old one, and its snapshot of the orders holds what they wrote. Ascending ids: locks are taken in one order.
-- (MariaDB has no FOR SHARE; LOCK IN SHARE MODE is the same, and MySQL takes it too.)
-- Parameters: the variable batch, an OrderBatch. Returns: id, epoch.
SELECT id, epoch
FROM products
WHERE id IN (:#in:${variable.batch.productIds})
ORDER BY id
LOCK IN SHARE MODE
