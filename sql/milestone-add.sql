-- Notes that other systems are told what happened to a sale; the primary key lets one node at a time tell it.
-- :#productId :#kind :#occasion
INSERT INTO sale_milestones (product_id, kind, occasion, told_at)
VALUES (:#productId, :#kind, :#occasion, FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000))
