-- Confirm reservations that are orders in MySQL.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  triples requestId, orderId, quantity as in MySQL's row; 1 to 500 of them
-- Returns, texts in quotes
--   CONFIRMED {1, moved, unchanged, absent, uncovered}
--     moved      reservations that went from PENDING to SUCCESS
--     unchanged  reservations that are SUCCESS already (or named twice in one call)
--     absent     the book holds no live reservation of this requestId: nothing is written for it
--     uncovered  units that MySQL sold beyond the reservation's quantity and the book has no unit for; they stay out
--                of sold, so the ledger names them (only where Redis lost a reservation that was repeated with another quantity)
--   NO_BOOK {-1}: no book
-- A full Redis does not refuse it, for it gives memory back: its first command is one that only removes.
-- Moves pending -> sold, by MySQL's quantity: what the reservation held more returns to available, what it held less is taken
-- from there. Raises moves; publishes the entries that ended, and stock that returns. Keeps I1, I2 and I7. Running it twice changes nothing.
local n = #ARGV / 3
if n < 1 or n > 500 or n % 1 ~= 0 then
  return redis.error_reply('ERR confirm: 1 to 500 triples requestId orderId quantity expected')
end
local users, units = {}, {}
for i = 1, n do
  users[i] = string.match(ARGV[3 * i - 2], '^%d+%-(%d+)%-')
  units[i] = tonumber(ARGV[3 * i])
  if not users[i] or not units[i] or units[i] < 1 or units[i] % 1 ~= 0
    or string.find(ARGV[3 * i - 1], '|', 1, true) then
    return redis.error_reply('ERR confirm: bad triple ' .. i)
  end
end

local book = redis.call('HMGET', KEYS[1], 'available', 'pending', 'sold', 'moves')
if not book[1] then return {-1} end
local available, pending, sold = tonumber(book[1]), tonumber(book[2]), tonumber(book[3])
local before = available

local entries = redis.call('HMGET', KEYS[2], unpack(users))
local seen, write, ended, done = {}, {}, {}, {}
local unchanged, absent, uncovered = 0, 0, 0
for i = 1, n do
  local requestId = ARGV[3 * i - 2]
  local id, key, held, status, outboxId
  if entries[i] then
    id, key, held, status, outboxId =
      string.match(entries[i], '^([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|')
  end
  if id ~= requestId then
    absent = absent + 1
  elseif status ~= 'PENDING' or seen[requestId] then
    unchanged = unchanged + 1
  else
    seen[requestId] = true
    held = tonumber(held)
    local sell = math.min(units[i], held + available)
    uncovered = uncovered + units[i] - sell
    pending = pending - held
    available = available + held - sell
    sold = sold + sell
    ended[#ended + 1] = id .. '|' .. key .. '|' .. string.format('%.0f', sell) .. '|SUCCESS|' .. outboxId
      .. '|' .. ARGV[3 * i - 1] .. '|'
    write[#write + 1] = users[i]
    write[#write + 1] = ended[#ended]
    done[#done + 1] = users[i]
  end
end
if #done == 0 then return {1, 0, unchanged, absent, 0} end
if pending < 0 then return redis.error_reply('ERR confirm: the book holds fewer pending units than its entries') end

local moves = string.format('%.0f', book[4] + 1)
redis.call('ZREM', KEYS[4], '')
redis.call('PUBLISH', (string.gsub(KEYS[1], ':sale$', ':ends')), table.concat(ended, '\n'))
if available > before then
  redis.call('PUBLISH', 'seckill:events', 'stock ' .. string.match(KEYS[1], '{(%d+)}')
    .. ' ' .. string.format('%.0f', available) .. ' ' .. moves)
end
redis.call('HSET', KEYS[1],
  'available', string.format('%.0f', available),
  'pending', string.format('%.0f', pending),
  'sold', string.format('%.0f', sold),
  'moves', moves)
redis.call('HSET', KEYS[2], unpack(write))
redis.call('ZREM', KEYS[4], unpack(done))
return {1, #done, unchanged, absent, uncovered}
