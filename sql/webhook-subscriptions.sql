-- What the active webhooks ask for.
SELECT id, events, product_id, activity_id
FROM webhooks
WHERE active = 1
