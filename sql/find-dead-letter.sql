-- One dead letter. Parameters: the variable id. Returns: id, request_id, source, payload, state; no row when there is none.
SELECT id, request_id, source, payload, state
FROM dead_letters
WHERE id = :#id
