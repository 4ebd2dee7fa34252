-- Notes that the sale has, or had, its book: from now on a missing one is a loss.
-- :#productId
UPDATE products SET preheated = 1 WHERE id = :#productId AND preheated = 0
