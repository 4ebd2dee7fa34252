-- Replaces the terms of a webhook; its secrets stay. Parameters: a WebhookTerms, the variable webhookId.
UPDATE webhooks
SET url = :#url, events = :#events, product_id = :#productId, activity_id = :#activityId, active = :#active,
    switched_off = NULL, updated_at = FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000)
WHERE id = :#webhookId
