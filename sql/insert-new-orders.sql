-- The rows of orders of which none has a row yet. An order that has one, or whose buyer holds another, is a duplicate-key error: then
-- insert-orders.sql takes the batch.
-- Parameters: the body, one NewOrderRow a row, sorted by requestId (writers that insert in one order do not deadlock); the variable attempt.
INSERT INTO seckill_orders
  (request_id, product_id, user_id, quantity, idem_key, status, reason, attempt, epoch, outbox_id, created_at)
VALUES
  (:#requestId, :#productId, :#userId, :#quantity, :#idemKey, :#status, :#reason, :#attempt, :#epoch, :#outboxId, :#createdAt)
