-- Notes a restock; the primary key lets a key add units once.
-- :#productId :#idemKey :#units
INSERT INTO restocks (product_id, idem_key, units, created_at)
VALUES (:#productId, :#idemKey, :#units, FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000))
