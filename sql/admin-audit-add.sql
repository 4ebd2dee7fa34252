-- Who asked for what is written with the change itself, in its transaction.
-- Parameters: the variables action, productId (null where it is about none), detail (JSON).
INSERT INTO admin_audit (action, product_id, detail, created_at)
VALUES (:#action, :#${variable.productId}, :#detail, FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000))
