-- The rows of a user's key over all products; two are enough to know that the key alone does not tell.
-- Parameters: userId, idemKey (the client's part)
SELECT id, request_id, product_id, quantity, idem_key, status, reason
FROM seckill_orders
WHERE user_id = :#userId
  AND idem_key = CONCAT(product_id, ':', user_id, ':', :#idemKey)
ORDER BY id
LIMIT 2
