-- Deletes old deliveries, some at a time. Parameters: the variable keep, in milliseconds.
DELETE FROM webhook_deliveries
WHERE created_at < FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000) - :#keep
LIMIT 5000
