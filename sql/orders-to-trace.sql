-- The rows of reservations that an operator asks for. Each part reads a unique index; parts whose parameter is null find nothing.
-- Parameters: the members of an OrderQuestion: requestId, orderId, productId and userId.
(SELECT id, request_id, product_id, user_id, quantity, idem_key, status, reason, epoch, outbox_id, created_at
 FROM seckill_orders
 WHERE request_id = :#requestId)
UNION ALL
(SELECT id, request_id, product_id, user_id, quantity, idem_key, status, reason, epoch, outbox_id, created_at
 FROM seckill_orders
 WHERE id = :#orderId)
UNION ALL
(SELECT id, request_id, product_id, user_id, quantity, idem_key, status, reason, epoch, outbox_id, created_at
 FROM seckill_orders
 WHERE product_id = :#productId AND user_id = :#userId
 LIMIT 100)
