-- Audit rows, newest first, of one product or of all. Each half reads an index from its end; one of the two finds nothing.
-- Parameters: the members of an AuditQuestion: productId (null for all), before (id the page ends before), limit.
(SELECT id, action, operator, address, product_id, dead_letter_id, detail, before_change, after_change, created_at
 FROM admin_audit
 WHERE product_id = :#productId AND id < :#before
 ORDER BY id DESC
 LIMIT :#limit)
UNION ALL
(SELECT id, action, operator, address, product_id, dead_letter_id, detail, before_change, after_change, created_at
 FROM admin_audit
 WHERE :#all = 1 AND id < :#before
 ORDER BY id DESC
 LIMIT :#limit)
ORDER BY id DESC
