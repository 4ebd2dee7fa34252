-- Sales that are over, by call or by window, and not settled. The book judges the window by its own clock.
SELECT p.id AS product_id
FROM products p
LEFT JOIN settlements s ON s.product_id = p.id
WHERE s.product_id IS NULL AND p.preheated = 1
  AND (p.state = 'ENDED' OR p.ends_at <= FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000))
ORDER BY p.id
