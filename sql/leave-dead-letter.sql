-- A dead letter that MySQL does not let be compensated waits for a person: it expires no more. Parameters: the variable id.
UPDATE dead_letters
SET parked_until = NULL, updated_at = ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000)
WHERE id = :#id AND state = 'PARKED'
