-- SUCCESS rows of a sale, 1,000 at a time in id order, for the comparison at settlement.
-- :#productId :#afterId
SELECT id, request_id, user_id, quantity
FROM seckill_orders
WHERE product_id = :#productId AND status = 'SUCCESS' AND id > :#afterId
ORDER BY id
LIMIT 1000
