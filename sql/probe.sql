-- Whether MySQL takes changes: the one row of this table is written anew. A read alone would not tell of a MySQL that is read-only.
INSERT INTO probe (id, looked_at)
VALUES (1, FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000))
ON DUPLICATE KEY UPDATE looked_at = FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000)
