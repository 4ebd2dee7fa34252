-- The activities of products. Parameters: the variable products, a list of ids.
SELECT id AS product_id, activity_id
FROM products
WHERE id IN (:#in:products) AND activity_id IS NOT NULL
