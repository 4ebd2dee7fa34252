-- Close a sale's book for a rebuild: buyers and operators find none until rebuild-swap.lua has put the new one in its place.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- Returns, texts in quotes
--   CLOSED {1, outboxLength, pending, epoch, now}: closed; pending counts reservations, now: ms of Redis's clock
--   ABSENT {0, outboxLength}: there is no book: nothing written
-- Moves no units; raises moves and publishes the sale the first time. Confirm, release, write off, resend and acknowledge go on, so that
-- what is on its way arrives. Running it twice changes nothing.
local waiting, pending, time = redis.call('XLEN', KEYS[3]), redis.call('ZCARD', KEYS[4]), redis.call('TIME')
local book = redis.call('HMGET', KEYS[1], 'epoch', 'moves', 'closed')
if not book[1] then return {0, waiting} end
if not book[3] then
  redis.call('PUBLISH', 'seckill:events', 'sale ' .. string.match(KEYS[1], '{(%d+)}'))
  redis.call('HSET', KEYS[1], 'closed', '1', 'moves', string.format('%.0f', book[2] + 1))
end
return {1, waiting, pending, tonumber(book[1]), time[1] * 1000 + math.floor(time[2] / 1000)}
