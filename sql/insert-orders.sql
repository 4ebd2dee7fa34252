-- One row a reservation, SUCCESS or FAIL (a tombstone). What is there already stays as it is: the row that was first decides (uk_request),
-- a buyer holds one live order of a product (uk_pu). Not INSERT IGNORE, which hides other errors. The read-back tells what became of each.
-- The update names no generated id: MySQL refuses a statement that sets an id it has just generated (error 1869).
-- Parameters: the body, one NewOrderRow a row, sorted by requestId (writers that insert in one order do not deadlock); the variable attempt.
INSERT INTO seckill_orders
  (request_id, product_id, user_id, quantity, idem_key, status, reason, attempt, epoch, outbox_id, created_at)
VALUES
  (:#requestId, :#productId, :#userId, :#quantity, :#idemKey, :#status, :#reason, :#attempt, :#epoch, :#outboxId, :#createdAt)
ON DUPLICATE KEY UPDATE attempt = attempt
