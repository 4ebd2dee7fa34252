-- What MySQL holds of the products of new orders, locked until the transaction ends. Ascending ids: locks are taken in one order.
-- Parameters: the body, a list of product ids. Returns: id, count, epoch.
SELECT id, count, epoch
FROM products
WHERE id IN (:#in:${body})
ORDER BY id
FOR UPDATE
