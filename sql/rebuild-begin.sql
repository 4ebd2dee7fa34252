-- Notes that a rebuild of the sale has begun; one that began earlier and did not end keeps its time.
-- :#productId
UPDATE products
SET rebuild_since = COALESCE(rebuild_since, FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000))
WHERE id = :#productId
