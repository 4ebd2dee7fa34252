-- Who asked for what, and what it changed, is written with the change itself, in its transaction.
-- Parameters: the members of an AuditRow.
INSERT INTO admin_audit (action, operator, address, product_id, dead_letter_id, detail, before_change, after_change, created_at)
VALUES (:#action, :#operator, :#address, :#productId, :#deadLetterId, :#detail, :#before, :#after,
        FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000))
