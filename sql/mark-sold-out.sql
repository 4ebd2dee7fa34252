-- Turns rows that this very attempt inserted into tombstones: MySQL has no unit for them.
-- Parameters: the body, a list of Allotment.SoldOut; the variable attempt.
UPDATE seckill_orders
SET status = 'FAIL_SOLD_OUT', reason = 'MySQL holds no unit for it'
WHERE request_id = :#requestId AND attempt = :#attempt AND status = 'SUCCESS'
