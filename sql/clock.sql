-- MySQL's clock in milliseconds, which judges the windows of sales in minimal mode.
SELECT CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) AS millis
