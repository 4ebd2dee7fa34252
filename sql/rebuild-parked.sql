-- The sale's dead letters that wait for a person.
-- :#productId
SELECT id FROM dead_letters WHERE product_id = :#productId AND state = 'PARKED' ORDER BY id
