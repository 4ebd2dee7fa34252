-- The next rows of the snapshot, in id order.
-- :#productId, the variable snapshot
SELECT id, request_id, user_id, quantity, idem_key, status, reason, outbox_id
FROM seckill_orders
WHERE product_id = :#productId AND id > :#${variable.snapshot.afterId} AND id <= :#${variable.snapshot.lastId}
ORDER BY id
LIMIT 5000
