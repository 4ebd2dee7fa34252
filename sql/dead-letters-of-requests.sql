-- The dead letters of reservations, oldest first.
-- Parameters: the variable requestIds, a list.
SELECT id, origin, source, request_id, product_id, user_id, SUBSTRING(payload, 1, 4000) AS payload,
       LENGTH(payload) AS payload_length, cause, attempts, state, parked_until, created_at, updated_at
FROM dead_letters
WHERE request_id IN (:#in:requestIds)
ORDER BY id
