-- A sale's settlement; the primary key lets a sale be settled once.
-- :#productId :#initial :#restocked :#sold :#writtenOff :#released :#orders :#units :#discrepancy :#details (JSON)
INSERT INTO settlements (product_id, initial, restocked, sold, written_off, released, orders, units, discrepancy,
                         details, settled_at)
VALUES (:#productId, :#initial, :#restocked, :#sold, :#writtenOff, :#released, :#orders, :#units, :#discrepancy,
        :#details, FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000))
