-- Which of these reservations are orders.
-- :#in:requestIds
SELECT request_id FROM seckill_orders WHERE status = 'SUCCESS' AND request_id IN (:#in:requestIds)
