-- Where a snapshot of the sale's orders ends. Rows are never changed or deleted, so the rows up to it are the snapshot.
-- :#productId
SELECT COALESCE(MAX(id), 0) FROM seckill_orders WHERE product_id = :#productId
