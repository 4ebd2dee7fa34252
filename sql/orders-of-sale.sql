-- C of the invariants (units of SUCCESS rows), and how many orders ended how.
-- :#productId
SELECT COALESCE(SUM(CASE WHEN status = 'SUCCESS' THEN quantity ELSE 0 END), 0) AS units,
       COALESCE(SUM(CASE WHEN status = 'SUCCESS' THEN 1 ELSE 0 END), 0) AS success,
       COALESCE(SUM(CASE WHEN status = 'SUCCESS' THEN 0 ELSE 1 END), 0) AS failed
FROM seckill_orders
WHERE product_id = :#productId
