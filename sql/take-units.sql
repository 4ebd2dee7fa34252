-- Strategy B's conditional decrement, once a product and batch.
-- Parameters: the body, one map a product: productId, units.
UPDATE products
SET count = count - :#units
WHERE id = :#productId AND count >= :#units
