-- The state an operator gives a sale. ENDED is final, whoever asks.
-- :#productId :#state
UPDATE products
SET state = :#state, updated_at = FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000)
WHERE id = :#productId AND state <> 'ENDED'
