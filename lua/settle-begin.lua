-- Begin a settlement: judge by Redis's clock that the sale is over, close it for good and return its book, in one step.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- Returns, texts in quotes
--   AT_REST {1, initial, restocked, available, pending, sold, writtenOff, released, epoch, moves}: over, at rest and ENDED; pending is 0
--   NOT_AT_REST {2, pending, outboxLength}: over, but units are pending or the outbox is not empty: nothing written
--   NOT_OVER {3, 'endsAt'}: neither ENDED nor past endsAt ('' when the window is open): nothing written
--   NO_BOOK {-1}: no book, or closed for a rebuild
-- Moves no units. Sets ENDED where the window ended the sale, raises moves and publishes the sale then. Running it twice changes nothing.
local b = redis.call('HMGET', KEYS[1], 'initial', 'restocked', 'available', 'pending', 'sold', 'writtenOff', 'released',
  'endsAt', 'state', 'epoch', 'moves', 'closed')
if not b[1] or b[12] then return {-1} end
if b[9] ~= 'ENDED' then
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  if b[8] == '' or now < tonumber(b[8]) then return {3, b[8]} end
end
local waiting = redis.call('XLEN', KEYS[3])
if tonumber(b[4]) > 0 or waiting > 0 then return {2, tonumber(b[4]), waiting} end
local moves = tonumber(b[11])
if b[9] ~= 'ENDED' then
  moves = moves + 1
  redis.call('PUBLISH', 'seckill:events', 'sale ' .. string.match(KEYS[1], '{(%d+)}'))
  redis.call('HSET', KEYS[1], 'state', 'ENDED', 'moves', string.format('%.0f', moves))
end
return {1, tonumber(b[1]), tonumber(b[2]), tonumber(b[3]), tonumber(b[4]), tonumber(b[5]), tonumber(b[6]), tonumber(b[7]),
  tonumber(b[10]), moves}
