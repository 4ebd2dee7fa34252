-- Dead letters, oldest first, for an operator.
-- Parameters: the variables state ('' for all), after (id the page begins behind), limit.
-- Returns: the row, with the first 4,000 bytes of the payload.
SELECT id, origin, source, request_id, product_id, user_id, SUBSTRING(payload, 1, 4000) AS payload,
       LENGTH(payload) AS payload_length, cause, attempts, state, parked_until, created_at, updated_at
FROM dead_letters
WHERE id > :#after AND (:#state = '' OR state = :#state)
ORDER BY id
LIMIT :#limit
