-- A dead letter's reservation has ended by its compensation, which is final. Parameters: the variable id.
UPDATE dead_letters
SET state = 'COMPENSATED', parked_until = NULL, updated_at = ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000)
WHERE id = :#id AND state <> 'COMPENSATED'
