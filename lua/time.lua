-- Redis's clock, which judges the windows of sales.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag); none is read
-- Returns, texts in quotes
--   TOLD {1, now}: now: ms of Redis's clock
-- Writes nothing.
local time = redis.call('TIME')
return {1, time[1] * 1000 + math.floor(time[2] / 1000)}
