-- Strategy B's conditional decrement, once a product and batch.
-- Parameters: the body, a list of Allotment.Taken.
UPDATE products
SET count = count - :#units
WHERE id = :#productId AND count >= :#units
