-- Sales whose book must follow MySQL: all that are not settled.
SELECT p.id AS product_id, p.name, p.count, p.initial_stock AS stock, p.restocked, p.max_quantity, p.starts_at, p.ends_at,
       p.rate_per_second, p.activity_id, p.state, p.epoch, p.preheated, 0 AS settled
FROM products p
LEFT JOIN settlements s ON s.product_id = p.id
WHERE s.product_id IS NULL
ORDER BY p.id
