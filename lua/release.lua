-- End reservations that MySQL holds as failed (a tombstone was read back). FAIL_SOLD_OUT writes their units off, because MySQL had none
-- for them (strategy B): units that returned would sell and fail again. Every other status returns their units.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  1 status (FAIL_...), 2 reason, then 1 to 500 triples requestId, key, quantity as in MySQL's row
-- Returns, texts in quotes
--   RELEASED {1, released, unchanged, absent, available}
--     released   reservations that were PENDING: their units are returned or written off
--     unchanged  reservations that are SUCCESS (never released), or named twice in one call
--     absent     the book holds no live reservation of this requestId. It was released before, or the book never knew it: then its failed
--                entry is written, for what MySQL has ended must not begin again; where units return it counts as released, though none do
--     available  the units left afterwards
--   NO_BOOK {-1}: no book
-- Moves pending -> available and counts released, or moves pending -> writtenOff. Raises moves. The entry moves to field `userId|key`
-- with its status and reason: its key answers that for ever, while the buyer may buy again under another key. Publishes the entries that
-- ended, and the stock. Keeps I1, I7, I8, I9 and I10. Running it twice changes nothing.
local n = (#ARGV - 2) / 3
if n < 1 or n > 500 or n % 1 ~= 0 or not string.find(ARGV[1], '^FAIL_[A-Z_]+$') then
  return redis.error_reply('ERR release: status reason and 1 to 500 triples requestId key quantity expected')
end
local status, reason = ARGV[1], string.gsub(ARGV[2], '[|%c]', ' ')
local users, failed = {}, {}
for i = 1, n do
  local requestId, key = ARGV[3 * i], ARGV[3 * i + 1]
  users[i] = string.match(requestId, '^%d+%-(%d+)%-')
  if not users[i] or not string.find(key, '^[%w._:-]+$') or not string.find(ARGV[3 * i + 2], '^[1-9]%d*$') then
    return redis.error_reply('ERR release: bad triple ' .. i)
  end
  failed[i] = users[i] .. '|' .. key
end

local returns = status ~= 'FAIL_SOLD_OUT'
local counter = returns and 'released' or 'writtenOff'
local book = redis.call('HMGET', KEYS[1], 'available', 'pending', counter, 'moves')
if not book[1] then return {-1} end

local entries = redis.call('HMGET', KEYS[2], unpack(users))
local known = redis.call('HMGET', KEYS[2], unpack(failed))
local seen, write, ended, done = {}, {}, {}, {}
local units, unknown, unchanged, absent = 0, 0, 0, 0
for i = 1, n do
  local id, key, quantity, state, outboxId
  if entries[i] then
    id, key, quantity, state, outboxId =
      string.match(entries[i], '^([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|')
  end
  if id ~= ARGV[3 * i] then
    absent = absent + 1
    if not known[i] and not seen[failed[i]] then
      seen[failed[i]] = true
      unknown = unknown + (returns and tonumber(ARGV[3 * i + 2]) or 0)
      ended[#ended + 1] = ARGV[3 * i] .. '|' .. ARGV[3 * i + 1] .. '|' .. ARGV[3 * i + 2] .. '|' .. status .. '|||' .. reason
      write[#write + 1] = failed[i]
      write[#write + 1] = ended[#ended]
    end
  elseif state ~= 'PENDING' or seen[id] then
    unchanged = unchanged + 1
  else
    seen[id] = true
    units = units + tonumber(quantity)
    ended[#ended + 1] = id .. '|' .. key .. '|' .. quantity .. '|' .. status .. '|' .. outboxId .. '||' .. reason
    write[#write + 1] = failed[i]
    write[#write + 1] = ended[#ended]
    done[#done + 1] = users[i]
  end
end
if #write == 0 then return {1, 0, unchanged, absent, tonumber(book[1])} end
if units > tonumber(book[2]) then
  return redis.error_reply('ERR release: the book holds fewer pending units than its entries')
end

local available = returns and book[1] + units or tonumber(book[1])
local moves = string.format('%.0f', book[4] + 1)
redis.call('ZREM', KEYS[4], '')
redis.call('HDEL', KEYS[2], '')
redis.call('PUBLISH', (string.gsub(KEYS[1], ':sale$', ':ends')), table.concat(ended, '\n'))
redis.call('PUBLISH', 'seckill:events', 'stock ' .. string.match(KEYS[1], '{(%d+)}')
  .. ' ' .. string.format('%.0f', available) .. ' ' .. moves)
redis.call('HSET', KEYS[1],
  'available', string.format('%.0f', available),
  'pending', string.format('%.0f', book[2] - units),
  counter, string.format('%.0f', book[3] + units + unknown),
  'moves', moves)
redis.call('HSET', KEYS[2], unpack(write))
if #done > 0 then
  redis.call('HDEL', KEYS[2], unpack(done))
  redis.call('ZREM', KEYS[4], unpack(done))
end
return {1, #done, unchanged, absent, available}
