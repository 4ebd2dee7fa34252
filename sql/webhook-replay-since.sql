-- Makes all deliveries of a webhook due that have ended, of events since a time. Parameters: the variables since, in milliseconds, and webhookId.
UPDATE webhook_deliveries
SET state = 'WAITING', attempts = 0, due_at = FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000)
WHERE webhook_id = :#webhookId AND created_at >= :#since AND due_at IS NULL
