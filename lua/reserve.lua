-- Reserve units for a buyer: check, deduct, deduplicate and enqueue in one step.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  1 userId, 2 key, 3 requestId, 4 quantity, 5 outboxLimit (entries; 0: no limit)
-- Returns, texts in quotes, judged in this order
--   NO_BOOK {-1}: no book, or closed for a rebuild; nothing is known of the buyer
--   REPLAYED {3, 'requestId', 'status', 'orderId', 'reason'}: this key was reserved before: its answer, for ever; '' where there is none
--   KEY_REUSED {4, quantity}: this key was reserved with another quantity, the one given
--   ALREADY_BOUGHT {2, 'requestId', 'key'}: the buyer holds a live purchase under another key
--   ENDED {6, 'endsAt'}: the sale was ended, or its window has closed; '' when the window is open at that side
--   PAUSED {7}: the sale is paused
--   NOT_STARTED {5, startsAt, now}: the window has not opened (ms of Redis's clock)
--   OVER_LIMIT {8, maxQuantity}: over the sale's limit of units a purchase
--   SOLD_OUT {0, available, moves}: fewer units left than asked for
--   OUTBOX_FULL {9}: the outbox is full
--   RESERVED {1, 'requestId', available}: reserved; available: the units left
-- A refusal of your own is {'ITS_NAME', ...}: order-api.camel.yaml answers it by that name. Refuse before the first write.
-- Moves available -> pending (only with {1}), raises moves, writes the outbox entry that the relay sends.
-- Keeps I1, I4, I8 and I9; the window is judged by Redis's TIME, one clock for all nodes.
local user, key, requestId = ARGV[1], ARGV[2], ARGV[3]
local quantity, outboxLimit = tonumber(ARGV[4]), tonumber(ARGV[5])
if #ARGV ~= 5 or not outboxLimit or not string.find(ARGV[4], '^[1-9]%d*$') or not string.find(key, '^[%w._:-]+$') then
  return redis.error_reply('ERR reserve: userId key requestId quantity outboxLimit expected')
end

local book = redis.call('HMGET', KEYS[1],
  'available', 'pending', 'moves', 'maxQuantity', 'startsAt', 'endsAt', 'state', 'epoch', 'closed')
local available = tonumber(book[1])
if not available or book[9] then return {-1} end

local held = redis.call('HMGET', KEYS[2], user, user .. '|' .. key)
for i = 1, 2 do
  if held[i] then
    local id, heldKey, units, status, orderId, reason =
      string.match(held[i], '^([^|]*)|([^|]*)|([^|]*)|([^|]*)|[^|]*|([^|]*)|([^|]*)')
    if heldKey == key then
      if tonumber(units) ~= quantity then return {4, tonumber(units)} end
      return {3, id, status, orderId, reason}
    end
  end
end
if held[1] then
  local id, heldKey = string.match(held[1], '^([^|]*)|([^|]*)')
  return {2, id, heldKey}
end

local startsAt, endsAt, state = book[5], book[6], book[7]
if state == 'ENDED' then return {6, endsAt} end
if startsAt ~= '' or endsAt ~= '' then
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  if endsAt ~= '' and now >= tonumber(endsAt) then return {6, endsAt} end
  if state ~= 'OPEN' then return {7} end
  if startsAt ~= '' and now < tonumber(startsAt) then return {5, tonumber(startsAt), now} end
elseif state ~= 'OPEN' then
  return {7}
end

local maxQuantity = tonumber(book[4])
if quantity > maxQuantity then return {8, maxQuantity} end
local moves = tonumber(book[3])
if available < quantity then return {0, available, moves} end
if outboxLimit > 0 and redis.call('XLEN', KEYS[3]) >= outboxLimit then return {9} end

-- Redis keeps what a script wrote before an error. So what the user of this connection may not do fails before the first
-- write, or is taken back: this buyer is not pending, so the first command changes nothing
redis.call('ZADD', KEYS[4], 'XX', '0', user)
redis.call('HSET', KEYS[1],
  'available', string.format('%.0f', available - quantity),
  'pending', string.format('%.0f', book[2] + quantity),
  'moves', string.format('%.0f', moves + 1))
local outboxId = redis.pcall('XADD', KEYS[3], '*', 'requestId', requestId, 'userId', user,
  'idemKey', key, 'quantity', ARGV[4], 'epoch', book[8], 'resent', '0')
if type(outboxId) ~= 'string' then
  redis.call('HSET', KEYS[1], 'available', book[1], 'pending', book[2], 'moves', book[3])
  return outboxId
end
redis.call('HSET', KEYS[2], user,
  requestId .. '|' .. key .. '|' .. ARGV[4] .. '|PENDING|' .. outboxId .. '||')
redis.call('ZADD', KEYS[4], string.match(outboxId, '^%d+'), user)
return {1, requestId, available - quantity}
