-- The tombstones of a sale, 500 at a time in id order, for a book that came with another Redis.
-- :#productId, the variable ends. Returns: id, request_id, product_id, user_id, quantity, idem_key, status, reason, attempt, outbox_id.
SELECT id, request_id, product_id, user_id, quantity, idem_key, status, reason, attempt, outbox_id
FROM seckill_orders
WHERE product_id = :#productId AND status <> 'SUCCESS' AND id > :#${variable.ends.afterId}
ORDER BY id
LIMIT 500
