-- Pause, resume or end a sale, or move its window.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  1 OPEN, PAUSED or ENDED
--   or  1 'WINDOW', 2 startsAt, 3 endsAt (ms, '' when open)
-- Returns, texts in quotes
--   MOVED {1, 'state', 'startsAt', 'endsAt', changed}: as it is now; changed: 1, or 0 when it was so already
--   FINAL {2, 'state'}: refused, nothing written: ENDED is final
--   NO_BOOK {-1}: no book, or closed for a rebuild, which takes state and window from MySQL
-- Moves no units, raises moves, publishes the sale. Running it twice changes nothing.
local wish = ARGV[1]
local window = wish == 'WINDOW'
if window then
  if #ARGV ~= 3 or not string.find(ARGV[2], '^%d*$') or not string.find(ARGV[3], '^%d*$') then
    return redis.error_reply('ERR sale-state: WINDOW startsAt endsAt expected')
  end
elseif #ARGV ~= 1 or (wish ~= 'OPEN' and wish ~= 'PAUSED' and wish ~= 'ENDED') then
  return redis.error_reply('ERR sale-state: OPEN, PAUSED, ENDED or WINDOW expected')
end

local book = redis.call('HMGET', KEYS[1], 'state', 'startsAt', 'endsAt', 'moves', 'closed')
if not book[1] or book[5] then return {-1} end
local state, startsAt, endsAt = book[1], book[2], book[3]
if window then
  if startsAt == ARGV[2] and endsAt == ARGV[3] then return {1, state, startsAt, endsAt, 0} end
  if state == 'ENDED' then return {2, state} end
  startsAt, endsAt = ARGV[2], ARGV[3]
else
  if state == wish then return {1, state, startsAt, endsAt, 0} end
  if state == 'ENDED' then return {2, state} end
  state = wish
end

redis.call('PUBLISH', 'seckill:events', 'sale ' .. string.match(KEYS[1], '{(%d+)}'))
redis.call('HSET', KEYS[1], 'state', state, 'startsAt', startsAt, 'endsAt', endsAt,
  'moves', string.format('%.0f', book[4] + 1))
return {1, state, startsAt, endsAt, 1}
