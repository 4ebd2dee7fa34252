-- Explains a change of products.count.
-- :#productId :#delta :#cause
INSERT INTO stock_ledger (product_id, delta, cause, created_at)
VALUES (:#productId, :#delta, :#cause, FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000))
