-- Makes a delivery this node's until the lease ends, unless somebody else was quicker: then no row changes. Parameters: the variables dueId, and lease in milliseconds.
UPDATE webhook_deliveries
SET due_at = FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000) + :#lease
WHERE id = :#dueId AND due_at <= FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000)
