-- The highest outbox id that MySQL knows of a book's epoch and later ones, compared as Redis does, by both numbers; null where it knows none.
-- Reads all rows of the sale: a million take a second.
-- :#productId, the variable book
SELECT CONCAT(CAST(LEFT(highest, 20) AS UNSIGNED), '-', CAST(RIGHT(highest, 20) AS UNSIGNED))
FROM (SELECT MAX(CONCAT(LPAD(SUBSTRING_INDEX(outbox_id, '-', 1), 20, '0'),
                        LPAD(SUBSTRING_INDEX(outbox_id, '-', -1), 20, '0'))) AS highest
      FROM seckill_orders
      WHERE product_id = :#productId AND epoch >= :#${variable.book.get.epoch}) ids
