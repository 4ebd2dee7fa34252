-- Take a settled sale's book out of Redis: from then on MySQL alone tells what became of it.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  1 epoch of the sale, 2 (optional) 'other': take out only a book that is not the one that was settled: it came back with an older
--         Redis, and what it says is void
-- Returns, texts in quotes
--   GONE {1, entries}: gone; entries: what the hash users held
--   STAYS {0}: the book is of another epoch, has not ended, or is not at rest (with 'other': it is none of these): nothing removed
--   NO_BOOK {-1}: no book
-- Moves no units. Redis frees the memory beside its work (UNLINK). Publishes the sale, so that every node learns at once that it is settled.
-- Running it twice changes nothing.
local epoch = tonumber(ARGV[1])
if not epoch or #ARGV > 2 or (ARGV[2] and ARGV[2] ~= 'other') then return redis.error_reply('ERR retire-book: epoch expected') end
local book = redis.call('HMGET', KEYS[1], 'epoch', 'state', 'pending', 'closed')
if not book[1] then return {-1} end
local settled = tonumber(book[1]) == epoch and book[2] == 'ENDED' and tonumber(book[3]) == 0 and not book[4]
  and redis.call('XLEN', KEYS[3]) == 0
if settled == (ARGV[2] == 'other') then return {0} end
local entries = redis.call('HLEN', KEYS[2])
redis.call('PUBLISH', 'seckill:events', 'sale ' .. string.match(KEYS[1], '{(%d+)}'))
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
return {1, entries}
