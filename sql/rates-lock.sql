-- The rates that operators set, locked until the transaction ends: what an audit row says was before is right.
SELECT scope, subject_id, rate_per_second
FROM rate_limits
FOR UPDATE
