-- End reservations that MySQL holds as failed (a tombstone was read back). FAIL_SOLD_OUT writes their units off, because MySQL had none
-- for them (strategy B): units that returned would sell and fail again. Every other status returns their units.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  1 status (FAIL_...), 2 reason, then 1 to 500 requestIds
-- Returns, texts in quotes
--   RELEASED {1, released, unchanged, absent, available}
--     released   reservations that were PENDING: their units are returned or written off
--     unchanged  reservations that are SUCCESS (never released), or named twice in one call
--     absent     the book holds no live reservation of this requestId (also: it was released before); nothing is written for it
--     available  the units left afterwards
--   NO_BOOK {-1}: no book
-- Moves pending -> available and counts released, or moves pending -> writtenOff. Raises moves. The entry moves to field `userId|key`
-- with its status and reason: its key answers that for ever, while the buyer may buy again under another key. Publishes the stock.
-- Keeps I1, I7, I8, I9 and I10. Running it twice changes nothing.
local n = #ARGV - 2
if n < 1 or n > 500 or not string.find(ARGV[1], '^FAIL_[A-Z_]+$') then
  return redis.error_reply('ERR release: status reason and 1 to 500 requestIds expected')
end
local status, reason = ARGV[1], string.gsub(ARGV[2], '[|%c]', ' ')
local users = {}
for i = 1, n do
  users[i] = string.match(ARGV[i + 2], '^%d+%-(%d+)%-')
  if not users[i] then return redis.error_reply('ERR release: bad requestId ' .. i) end
end

local returns = status ~= 'FAIL_SOLD_OUT'
local counter = returns and 'released' or 'writtenOff'
local book = redis.call('HMGET', KEYS[1], 'available', 'pending', counter, 'moves')
if not book[1] then return {-1} end

local entries = redis.call('HMGET', KEYS[2], unpack(users))
local seen, write, done = {}, {}, {}
local units, unchanged, absent = 0, 0, 0
for i = 1, n do
  local id, key, quantity, state, outboxId
  if entries[i] then
    id, key, quantity, state, outboxId =
      string.match(entries[i], '^([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|')
  end
  if id ~= ARGV[i + 2] then
    absent = absent + 1
  elseif state ~= 'PENDING' or seen[id] then
    unchanged = unchanged + 1
  else
    seen[id] = true
    units = units + tonumber(quantity)
    write[#write + 1] = users[i] .. '|' .. key
    write[#write + 1] = id .. '|' .. key .. '|' .. quantity .. '|' .. status .. '|' .. outboxId .. '||' .. reason
    done[#done + 1] = users[i]
  end
end
if #done == 0 then return {1, 0, unchanged, absent, tonumber(book[1])} end
if units > tonumber(book[2]) then
  return redis.error_reply('ERR release: the book holds fewer pending units than its entries')
end

local available = returns and book[1] + units or tonumber(book[1])
local moves = string.format('%.0f', book[4] + 1)
redis.call('ZREM', KEYS[4], '')
redis.call('HDEL', KEYS[2], '')
redis.call('PUBLISH', 'seckill:events', 'stock ' .. string.match(KEYS[1], '{(%d+)}')
  .. ' ' .. string.format('%.0f', available) .. ' ' .. moves)
redis.call('HSET', KEYS[1],
  'available', string.format('%.0f', available),
  'pending', string.format('%.0f', book[2] - units),
  counter, string.format('%.0f', book[3] + units),
  'moves', moves)
redis.call('HSET', KEYS[2], unpack(write))
redis.call('HDEL', KEYS[2], unpack(done))
redis.call('ZREM', KEYS[4], unpack(done))
return {1, #done, unchanged, absent, available}
