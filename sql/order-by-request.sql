-- A reservation's row, SUCCESS or FAIL, if it is this user's.
-- Parameters: requestId, userId
SELECT id, request_id, product_id, quantity, idem_key, status, reason
FROM seckill_orders
WHERE request_id = :#requestId
  AND user_id = :#userId
