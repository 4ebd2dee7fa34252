-- All sales, newest first, with when they were settled.
SELECT p.id AS product_id, p.name, p.count, p.initial_stock AS stock, p.restocked, p.max_quantity, p.starts_at, p.ends_at,
       p.rate_per_second, p.activity_id, p.state, p.epoch, p.preheated, s.settled_at, s.settled_at IS NOT NULL AS settled
FROM products p
LEFT JOIN settlements s ON s.product_id = p.id
ORDER BY p.created_at DESC, p.id DESC
