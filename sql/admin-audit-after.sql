-- What became of a dead letter goes into the row of the call, which was written before it was handled.
-- Parameters: the members of an AuditRow: after, deadLetterId.
UPDATE admin_audit SET after_change = :#after
WHERE dead_letter_id = :#deadLetterId AND after_change IS NULL
ORDER BY id DESC
LIMIT 1
