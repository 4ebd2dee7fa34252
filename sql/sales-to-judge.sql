-- All sales by what is done with their books when another Redis is found: those that are not settled are judged, what is left of the others is void.
SELECT p.id AS product_id, p.epoch, s.product_id IS NOT NULL AS settled
FROM products p
LEFT JOIN settlements s ON s.product_id = p.id
ORDER BY p.id
