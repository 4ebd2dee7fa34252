-- Notes that the rebuild has ended: the book of this epoch is open.
-- :#productId, the variable sale: its row
UPDATE products
SET rebuild_since = NULL, preheated = 1, updated_at = FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000)
WHERE id = :#productId AND epoch = :#${variable.sale.epoch}
