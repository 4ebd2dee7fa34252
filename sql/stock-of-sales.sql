-- What MySQL holds of the sales that are not settled: minimal mode shows it, and decides nothing by it.
SELECT p.id, p.count, p.epoch
FROM products p
LEFT JOIN settlements s ON s.product_id = p.id
WHERE s.product_id IS NULL
