-- Create a sale's book, or bring an existing one in line with what MySQL says of the sale.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  1 epoch, 2 initial (units), 3 maxQuantity, 4 startsAt, 5 endsAt (ms, '' when open), 6 state (OPEN, PAUSED or ENDED),
--       7 (optional) 'existing': never create; for a sale that was preheated once, whose missing book is a loss; else '',
--       8 (optional) run id of this Redis, which a book that is created takes
-- Returns, texts in quotes
--   CREATED {1}: the book was created
--   EXISTS {2, changed}: the book exists and is, or was made, the same (changed 1: stock, limit or window were changed now); its state is
--     left as it is, sale-state moves that
--   CONFLICT {3}: nothing written: initial or maxQuantity differ after the first reservation, or reservations of a lost book are left
--   OTHER_EPOCH {4, epoch}: the book is of another epoch, nothing written
--   NO_BOOK {-1}: no book, and 'existing' was asked for; or closed for a rebuild
-- Makes units (creation; a change of initial before the first reservation), raises moves, publishes the sale. Keeps I1.
local epoch, initial, maxQuantity = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local startsAt, endsAt, state = ARGV[4], ARGV[5], ARGV[6]
local function whole(x, least) return x and x >= least and x % 1 == 0 and x < 2 ^ 53 end
if #ARGV < 6 or not whole(epoch, 0) or not whole(initial, 0) or not whole(maxQuantity, 1)
  or not string.find(startsAt, '^%d*$') or not string.find(endsAt, '^%d*$')
  or (state ~= 'OPEN' and state ~= 'PAUSED' and state ~= 'ENDED') then
  return redis.error_reply('ERR preheat: epoch initial maxQuantity startsAt endsAt state expected')
end
local event = 'sale ' .. string.match(KEYS[1], '{(%d+)}')

local book = redis.call('HMGET', KEYS[1], 'initial', 'restocked', 'available', 'pending', 'sold', 'writtenOff', 'released',
  'maxQuantity', 'startsAt', 'endsAt', 'epoch', 'moves', 'closed')
if not book[1] then
  if ARGV[7] == 'existing' then return {-1} end
  if redis.call('EXISTS', KEYS[2], KEYS[4]) > 0 then return {3} end
  redis.call('PUBLISH', 'seckill:events', event)
  redis.call('HSET', KEYS[1], 'available', ARGV[2], 'pending', '0', 'moves', '1', 'state', state, 'maxQuantity', ARGV[3],
    'startsAt', startsAt, 'endsAt', endsAt, 'epoch', ARGV[1], 'initial', ARGV[2], 'restocked', '0', 'sold', '0',
    'writtenOff', '0', 'released', '0', 'run', ARGV[8] or '')
  return {1}
end

if book[13] then return {-1} end
if tonumber(book[11]) ~= epoch then return {4, tonumber(book[11])} end
local fixed = tonumber(book[1]) ~= initial or tonumber(book[8]) ~= maxQuantity
if fixed and (book[4] + book[5] + book[6] + book[7]) > 0 then return {3} end
if not fixed and book[9] == startsAt and book[10] == endsAt then return {2, 0} end

redis.call('PUBLISH', 'seckill:events', event)
redis.call('HSET', KEYS[1], 'initial', ARGV[2], 'available', string.format('%.0f', book[3] - book[1] + initial),
  'maxQuantity', ARGV[3], 'startsAt', startsAt, 'endsAt', endsAt, 'moves', string.format('%.0f', book[12] + 1))
return {2, 1}
