-- What came of a try. It changes nothing when the lease had ended and somebody else has the delivery. Parameters: an Attempt.
UPDATE webhook_deliveries
SET state = :#state, attempts = attempts + 1, answer_code = :#answerCode, answer = :#answer, took_ms = :#tookMs,
    attempted_at = FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000), due_at = FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000) + :#pauseMs
WHERE id = :#id AND due_at = :#leaseUntil
