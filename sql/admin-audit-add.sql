-- Who asked for what is written with the change itself, in its transaction.
-- :#action :#productId :#detail (JSON)
INSERT INTO admin_audit (action, product_id, detail, created_at)
VALUES (:#action, :#productId, :#detail, FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000))
