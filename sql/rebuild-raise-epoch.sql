-- Raises the sale's epoch above that of MySQL and that of the book, within the transaction that holds the row: writers that shared the old
-- epoch have committed, later ones find the new one and write tombstones for what was reserved before.
-- :#productId, the variable rebuild
UPDATE products SET epoch = GREATEST(epoch, :#${variable.rebuild.bookEpoch}) + 1 WHERE id = :#productId
