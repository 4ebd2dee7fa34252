-- The webhook that this transaction has just inserted, without its secrets. Returns: as webhooks.sql.
SELECT id, url, events, product_id, activity_id, active, switched_off,
       IF(former_secret_until > FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000), former_secret_until, NULL) AS former_secret_until,
       created_at, updated_at
FROM webhooks
WHERE id = LAST_INSERT_ID()
