-- What a node keeps in memory of the sales: those that are not settled, and the settled ones on request.
-- Parameter: settledToo (1: all; 0: only the others)
SELECT p.id AS product_id, p.name, p.initial_stock AS stock, p.restocked, p.max_quantity, p.starts_at, p.ends_at,
       p.rate_per_second, p.activity_id, p.state, p.epoch, p.preheated, s.product_id IS NOT NULL AS settled
FROM products p
LEFT JOIN settlements s ON s.product_id = p.id
WHERE s.product_id IS NULL
   OR 1 = :#settledToo
