-- Sets a rate, or with null goes back to what holds without it.
-- :#scope :#subjectId :#ratePerSecond
INSERT INTO rate_limits (scope, subject_id, rate_per_second, updated_at)
VALUES (:#scope, :#subjectId, :#ratePerSecond, FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000))
ON DUPLICATE KEY UPDATE rate_per_second = VALUES(rate_per_second), updated_at = VALUES(updated_at)
