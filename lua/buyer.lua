-- What the book holds of one buyer, and whether it still waits for Kafka.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  1 userId, 2 ... keys of failed reservations to look for as well, up to 100
-- Returns, texts in quotes
--   ENTRIES {1, entries: {'requestId', 'key', 'quantity', 'status', 'outboxId', 'orderId', 'reason', 'waiting'}, ...}: the live one and the failed ones
--     that there are; orderId and reason are '' where there is none; waiting: 1 while its entry is in the outbox, else 0
--   NO_BOOK {-1}: no book
-- Writes nothing. Also asks a book that a rebuild has closed.
local user = ARGV[1]
if #ARGV < 1 or #ARGV > 101 then
  return redis.error_reply('ERR buyer: userId and up to 100 keys expected')
end
if redis.call('EXISTS', KEYS[1]) == 0 then return {-1} end
local fields = {user}
for i = 2, #ARGV do fields[i] = user .. '|' .. ARGV[i] end
local held = redis.call('HMGET', KEYS[2], unpack(fields))
local reply = {1}
for i = 1, #fields do
  if held[i] then
    local id, key, quantity, status, outboxId, orderId, reason =
      string.match(held[i], '^([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)')
    local waiting = '0'
    if status == 'PENDING' and #redis.call('XRANGE', KEYS[3], outboxId, outboxId) > 0 then waiting = '1' end
    reply[#reply + 1] = {id, key, quantity, status, outboxId, orderId, reason, waiting}
  end
end
return reply
