-- Settled sales without a discrepancy whose books are due to leave Redis, the oldest first.
-- :#keepFor (milliseconds after the settlement)
SELECT s.product_id, p.epoch
FROM settlements s
JOIN products p ON p.id = s.product_id
WHERE s.book_left_at IS NULL AND s.discrepancy = 0 AND s.details IS NULL
  AND s.settled_at <= FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000) - :#keepFor
ORDER BY s.settled_at
LIMIT 100
