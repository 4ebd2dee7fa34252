-- Ends the sale and takes its sold units off what MySQL holds (strategy A; B took them with each order: taken = 0).
-- :#productId :#taken
UPDATE products
SET count = count - :#taken, state = 'ENDED', updated_at = FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000)
WHERE id = :#productId
