-- Events for webhooks, due at once. An event that comes again changes nothing (uk_event). Parameters: the body, one NewDelivery a row.
INSERT INTO webhook_deliveries (webhook_id, event_id, event_type, body, state, attempts, due_at, created_at)
VALUES (:#webhookId, :#eventId, :#eventType, :#body, 'WAITING', 0, FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000), FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000))
ON DUPLICATE KEY UPDATE webhook_id = VALUES(webhook_id)
