-- The settlement of a sale, if it was settled.
-- :#productId
SELECT product_id, initial, restocked, sold, written_off, released, orders, units, discrepancy, details, settled_at
FROM settlements
WHERE product_id = :#productId
