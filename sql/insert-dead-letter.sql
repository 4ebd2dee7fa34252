-- Keeps a dead letter. origin is where it lies and when it came there, so keeping it twice changes nothing (I10), and one of a topic that was
-- made anew is not taken for an old one.
-- Parameters: the body, an ArrivedDeadLetter; the variable parkedFor (ms).
INSERT INTO dead_letters
  (origin, source, request_id, product_id, user_id, payload, cause, attempts, state, parked_until, created_at, updated_at)
VALUES
  (:#${body.origin}, :#${body.letter.source}, :#${body.requestId}, :#${body.productId}, :#${body.userId}, :#${body.letter.value},
   :#${body.letter.cause}, :#${body.letter.attempts}, :#${body.state.name},
   ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000) + CAST(:#parkedFor AS SIGNED),
   ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000), ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000))
ON DUPLICATE KEY UPDATE origin = origin
