-- Gives a webhook a new secret; the one before it signs too for a while. Parameters: the variables secret, webhookId, and overlap in milliseconds.
UPDATE webhooks
SET former_secret = secret, former_secret_until = FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000) + :#overlap,
    secret = :#secret, updated_at = FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000)
WHERE id = :#webhookId
