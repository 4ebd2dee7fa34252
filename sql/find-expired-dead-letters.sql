-- Parked dead letters whose time is over, the oldest first. Returns: id.
SELECT id
FROM dead_letters
WHERE state = 'PARKED' AND parked_until <= ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000)
ORDER BY parked_until
LIMIT 100
