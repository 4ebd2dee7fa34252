-- A dead letter's reservation has ended, which is final: CONFIRMED where its order had been written before, COMPENSATED where the tombstone
-- was first. Parameters: the variable id.
UPDATE dead_letters
SET state = CASE WHEN EXISTS (SELECT 1 FROM seckill_orders o WHERE o.request_id = dead_letters.request_id AND o.status = 'SUCCESS')
                 THEN 'CONFIRMED' ELSE 'COMPENSATED' END,
    parked_until = NULL, updated_at = ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000)
WHERE id = :#id AND state NOT IN ('COMPENSATED', 'CONFIRMED')
