-- uk_request guards idempotency alone: request_id is made of product, user and a digest of the client's key, which idem_key holds.
ALTER TABLE seckill_orders DROP KEY uk_idem;
