-- Makes a delivery due at once, as if it had never been tried. Parameters: the variables deliveryId and webhookId.
UPDATE webhook_deliveries
SET state = 'WAITING', attempts = 0, due_at = FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000)
WHERE id = :#deliveryId AND webhook_id = :#webhookId
