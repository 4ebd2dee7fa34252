-- Makes sure the sale has a row, empty until sale-update.sql fills it in the same transaction.
-- :#productId
INSERT INTO products (id, name, count, initial_stock, max_quantity, state, created_at, updated_at)
VALUES (:#productId, '', 0, 0, 1, 'OPEN', FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000), FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000))
ON DUPLICATE KEY UPDATE name = name
