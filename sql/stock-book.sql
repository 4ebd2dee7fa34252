-- What MySQL says of a sale's units (minimal mode has no other book): sold are the units of its SUCCESS rows.
-- :#productId
SELECT p.id AS product_id, p.name, p.count, p.initial_stock AS stock, p.restocked, p.max_quantity, p.starts_at, p.ends_at,
       p.rate_per_second, p.activity_id, p.state, p.epoch, p.preheated,
       EXISTS (SELECT 1 FROM settlements s WHERE s.product_id = p.id) AS settled,
       (SELECT COALESCE(SUM(CASE WHEN o.status = 'SUCCESS' THEN o.quantity ELSE 0 END), 0)
        FROM seckill_orders o WHERE o.product_id = p.id) AS sold,
       (SELECT COUNT(*) FROM seckill_orders o WHERE o.product_id = p.id) AS orders
FROM products p
WHERE p.id = :#productId
