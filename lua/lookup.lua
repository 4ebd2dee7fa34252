-- What became of a buyer's reservation, by its key or by its requestId.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  1 userId, 2 key ('' to ask by requestId), 3 requestId ('' to ask by key)
-- Returns, texts in quotes
--   FOUND {3, 'requestId', 'status', 'orderId', 'reason', 'key', quantity, 'outboxId'}: orderId and reason are '' where there is none
--   NOT_FOUND {0}: the book has no such reservation of this buyer (by requestId: none that lives; a failed one is found by its key)
--   NO_BOOK {-1}: no book, or closed for a rebuild: what it says may be older than MySQL
-- Writes nothing.
local user, key, requestId = ARGV[1], ARGV[2], ARGV[3]
if #ARGV ~= 3 or (key == '' and requestId == '') then
  return redis.error_reply('ERR lookup: userId and key or requestId expected')
end
local book = redis.call('HMGET', KEYS[1], 'epoch', 'closed')
if not book[1] or book[2] then return {-1} end
local held = redis.call('HMGET', KEYS[2], user, user .. '|' .. key)
for i = 1, 2 do
  if held[i] then
    local id, heldKey, quantity, status, outboxId, orderId, reason =
      string.match(held[i], '^([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)')
    if (key == '' or key == heldKey) and (requestId == '' or requestId == id) then
      return {3, id, status, orderId, reason, heldKey, tonumber(quantity), outboxId}
    end
  end
end
return {0}
