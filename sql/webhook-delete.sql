-- Deletes a webhook. Its deliveries are sent no more, and go when their time is over. Parameters: the variable webhookId.
DELETE FROM webhooks
WHERE id = :#webhookId
