-- Switches a webhook off whose endpoint wants no more events. Parameters: the variable webhookId.
UPDATE webhooks
SET active = 0, switched_off = 'GONE', updated_at = FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000)
WHERE id = :#webhookId
