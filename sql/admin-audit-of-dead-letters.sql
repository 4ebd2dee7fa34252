-- Who handled dead letters, oldest first.
-- Parameters: the variable deadLetterIds, a list.
SELECT id, action, operator, address, product_id, dead_letter_id, detail, before_change, after_change, created_at
FROM admin_audit
WHERE dead_letter_id IN (:#in:deadLetterIds)
ORDER BY id
