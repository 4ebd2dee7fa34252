-- Explains what the orders of this attempt took off products.count, an entry an order.
-- Parameters: the variables batch, an OrderBatch, and attempt.
INSERT INTO stock_ledger (product_id, request_id, delta, cause, created_at)
SELECT product_id, request_id, -quantity, 'ORDER', created_at
FROM seckill_orders
WHERE request_id IN (:#in:${variable.batch.requestIds}) AND attempt = :#attempt AND status = 'SUCCESS'
