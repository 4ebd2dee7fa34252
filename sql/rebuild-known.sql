-- Which of these reservations MySQL knows, as orders, as tombstones or as dead letters.
-- The variable requestIds
SELECT request_id FROM seckill_orders WHERE request_id IN (:#in:${variable.requestIds})
UNION
SELECT request_id FROM dead_letters WHERE request_id IN (:#in:${variable.requestIds})
