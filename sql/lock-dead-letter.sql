-- One dead letter, held by this transaction. Parameters: the variable id. Returns: as find-dead-letter.sql.
SELECT id, request_id, source, payload, state
FROM dead_letters
WHERE id = :#id
FOR UPDATE
