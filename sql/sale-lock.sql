-- The sale as committed last, locked until the transaction ends: changes of one sale happen one after the other.
-- has_orders: a reservation reached MySQL, so a book existed even if preheated could not be written.
-- :#productId
SELECT p.id AS product_id, p.name, p.count, p.initial_stock AS stock, p.restocked, p.max_quantity, p.starts_at, p.ends_at,
       p.rate_per_second, p.activity_id, p.state, p.epoch, p.preheated, p.rebuild_since,
       EXISTS (SELECT 1 FROM settlements s WHERE s.product_id = p.id) AS settled,
       EXISTS (SELECT 1 FROM seckill_orders o WHERE o.product_id = p.id) AS has_orders
FROM products p
WHERE p.id = :#productId
FOR UPDATE
