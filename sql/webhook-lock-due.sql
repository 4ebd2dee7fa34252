-- The delivery of a webhook that has been due for the longest time and that no other transaction holds. Parameters: the variable webhookId.
SELECT id
FROM webhook_deliveries
WHERE webhook_id = :#webhookId AND due_at <= FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000)
ORDER BY due_at
LIMIT 1
FOR UPDATE SKIP LOCKED
