-- Take a settled sale's book out of Redis: from then on MySQL alone tells what became of it.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  1 epoch of the sale
-- Returns, texts in quotes
--   GONE {1, entries}: gone; entries: what the hash users held
--   STAYS {0}: the book is of another epoch, has not ended, or is not at rest: nothing removed
--   NO_BOOK {-1}: no book
-- Moves no units. Redis frees the memory beside its work (UNLINK). Publishes the sale, so that every node learns at once that it is settled.
-- Running it twice changes nothing.
local epoch = tonumber(ARGV[1])
if #ARGV ~= 1 or not epoch then return redis.error_reply('ERR retire-book: epoch expected') end
local book = redis.call('HMGET', KEYS[1], 'epoch', 'state', 'pending', 'closed')
if not book[1] then return {-1} end
if tonumber(book[1]) ~= epoch or book[2] ~= 'ENDED' or tonumber(book[3]) > 0 or book[4] or redis.call('XLEN', KEYS[3]) > 0 then
  return {0}
end
local entries = redis.call('HLEN', KEYS[2])
redis.call('PUBLISH', 'seckill:events', 'sale ' .. string.match(KEYS[1], '{(%d+)}'))
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
return {1, entries}
