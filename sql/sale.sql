-- One sale as a node keeps it in memory.
-- Parameter: productId
SELECT p.id AS product_id, p.name, p.initial_stock AS stock, p.restocked, p.max_quantity, p.starts_at, p.ends_at,
       p.rate_per_second, p.activity_id, p.state, p.epoch, p.preheated, s.product_id IS NOT NULL AS settled
FROM products p
LEFT JOIN settlements s ON s.product_id = p.id
WHERE p.id = :#productId
