-- Gives the sale the epoch that its book takes next, within the transaction that holds the row: writers that shared the old epoch have
-- committed, later ones find the new one.
-- :#productId, the variable adoption
UPDATE products SET epoch = :#${variable.adoption.epoch} WHERE id = :#productId
