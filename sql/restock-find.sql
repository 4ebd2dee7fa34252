-- The units an earlier restock with this key added.
-- :#productId :#idemKey
SELECT units FROM restocks WHERE product_id = :#productId AND idem_key = :#idemKey
