-- Adopt a book that came with another Redis, in two steps, between which MySQL raises the sale's epoch: what was reserved in a Redis that is
-- gone carries the old one.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  1 NOTE or TAKE, 2 epoch that the book is to get, 3 run id of this Redis
-- Returns, texts in quotes
--   NOTED {1}: NOTE: the book says which epoch is to come; its own stays
--   TAKEN {2}: TAKE: the book is of that epoch and this run now, or was so already
--   OVERTAKEN {0, epoch, fencing}: NOTE: the book is of that epoch or a later one. TAKE: no note of that epoch is there, for another node has
--     written its own. Nothing written; fencing: the epoch that is noted, 0 where none is
--   NO_BOOK {-1}: no book
-- Moves no units. TAKE raises moves and publishes the sale. A note that is there is overwritten: whoever raises MySQL's epoch last takes the
-- book. Running it twice changes nothing.
local step, epoch, run = ARGV[1], tonumber(ARGV[2]), ARGV[3]
if #ARGV ~= 3 or (step ~= 'NOTE' and step ~= 'TAKE') or not epoch or epoch < 1 or epoch % 1 ~= 0 or run == '' then
  return redis.error_reply('ERR adopt: NOTE or TAKE, epoch and run id expected')
end
local book = redis.call('HMGET', KEYS[1], 'epoch', 'fencing', 'run', 'moves')
if not book[1] then return {-1} end
local held, fencing = tonumber(book[1]), tonumber(book[2] or '0')
if step == 'NOTE' then
  if held >= epoch then return {0, held, fencing} end
  redis.call('HSET', KEYS[1], 'fencing', ARGV[2])
  return {1}
end
if held == epoch and book[3] == run then return {2} end
if held >= epoch or fencing ~= epoch then return {0, held, fencing} end

-- each epoch has a range of moves of its own, so a node that kept the moves of a lost book sees others
local moves = math.max(tonumber(book[4]) + 1, epoch * 2 ^ 32)
redis.call('HDEL', KEYS[1], '')
redis.call('PUBLISH', 'seckill:events', 'sale ' .. string.match(KEYS[1], '{(%d+)}'))
redis.call('HSET', KEYS[1], 'epoch', ARGV[2], 'run', run, 'moves', string.format('%.0f', moves))
redis.call('HDEL', KEYS[1], 'fencing')
return {2}
