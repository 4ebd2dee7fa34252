-- Adds units to a sale.
-- :#productId :#units
UPDATE products
SET restocked = restocked + :#units, count = count + :#units, updated_at = FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000)
WHERE id = :#productId
