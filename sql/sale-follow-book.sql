-- Takes over stock and limit from a book that a reservation has fixed.
-- :#productId :#stock :#delta :#maxQuantity
UPDATE products
SET initial_stock = :#stock, count = count + :#delta, max_quantity = :#maxQuantity,
    updated_at = FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000)
WHERE id = :#productId
