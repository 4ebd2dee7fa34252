-- The delivery that this transaction has leased, with what it takes to send it; none when its webhook is no longer active.
-- Parameters: the variable dueId.
SELECT d.id, d.webhook_id, d.event_id, d.body, d.attempts, d.due_at AS lease_until, w.url, w.secret,
       IF(w.former_secret_until > FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000), w.former_secret, NULL) AS former_secret
FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
WHERE d.id = :#dueId AND w.active = 1
