-- Deliveries of a webhook, newest first. Parameters: a DeliveryQuestion, the variable webhookId.
SELECT id, webhook_id, event_id, event_type, state, attempts, answer_code, answer, took_ms, attempted_at, due_at, created_at
FROM webhook_deliveries
WHERE webhook_id = :#webhookId AND id < :#before AND (:#state = '' OR state = :#state)
ORDER BY id DESC
LIMIT :#limit
