-- The delivery that this transaction has just inserted. Returns: as webhook-deliveries-page.sql.
SELECT id, webhook_id, event_id, event_type, state, attempts, answer_code, answer, took_ms, attempted_at, due_at, created_at
FROM webhook_deliveries
WHERE id = LAST_INSERT_ID()
