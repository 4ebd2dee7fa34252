-- A dead letter that could not be compensated is tried again later, until it can or a person has seen to it.
-- Parameters: the variables id and retryAfter (milliseconds).
UPDATE dead_letters
SET parked_until = ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000) + :#retryAfter, updated_at = ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000)
WHERE id = :#id AND state = 'PARKED'
