-- The ledger sums a sale's units while the sale goes on: it reads this index alone, not the rows.
ALTER TABLE seckill_orders
  ADD KEY k_product_status (product_id, status, quantity),
  DROP KEY k_product;
