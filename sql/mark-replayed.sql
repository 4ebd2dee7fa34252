-- A dead letter's record was sent again. Parameters: the variable id.
UPDATE dead_letters
SET state = 'REPLAYED', parked_until = NULL, updated_at = ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000)
WHERE id = :#id AND state NOT IN ('COMPENSATED', 'CONFIRMED')
