-- The active webhooks with deliveries that are due, and for how many milliseconds the oldest has been. An index answers for each webhook.
SELECT id, late_ms
FROM (SELECT w.id, FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000)
               - (SELECT d.due_at FROM webhook_deliveries d
                  WHERE d.webhook_id = w.id AND d.due_at IS NOT NULL
                  ORDER BY d.due_at LIMIT 1) AS late_ms
      FROM webhooks w
      WHERE w.active = 1) AS oldest
WHERE late_ms >= 0
