-- Sales whose book may hold pending reservations: preheated, not settled. Returns: id, epoch.
SELECT p.id, p.epoch
FROM products p
LEFT JOIN settlements s ON s.product_id = p.id
WHERE p.preheated = 1 AND s.product_id IS NULL
ORDER BY p.id
