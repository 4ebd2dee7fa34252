-- Adds a webhook. Parameters: a WebhookTerms, the variable secret.
INSERT INTO webhooks (url, events, product_id, activity_id, active, secret, created_at, updated_at)
VALUES (:#url, :#events, :#productId, :#activityId, :#active, :#secret,
        FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000), FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000))
