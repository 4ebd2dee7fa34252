-- The id under which a dead letter is kept. Parameters: the body, an ArrivedDeadLetter. Returns: id.
SELECT id
FROM dead_letters
WHERE origin = :#${body.origin}
