-- Notes that the sale's book is no longer in Redis.
-- :#productId
UPDATE settlements
SET book_left_at = FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000)
WHERE product_id = :#productId AND book_left_at IS NULL
