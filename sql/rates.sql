-- The rates that operators set, as a node keeps them in memory.
SELECT scope, subject_id, rate_per_second
FROM rate_limits
