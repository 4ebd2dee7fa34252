-- Put a reservation into the outbox again that is PENDING and whose record was lost on the way to MySQL.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  1 requestId
-- Returns, texts in quotes
--   SENT_AGAIN {1, 'outboxId', resent}: sent again under a new outbox id; resent: how often by now
--   STILL_WAITING {2, 'outboxId'}: its entry still waits in the outbox: nothing written
--   NOT_PENDING {0}: no PENDING reservation of this requestId: nothing written
--   NO_BOOK {-1}: no book
-- Moves no units, raises moves. The reservation's time becomes that of the new entry. Keeps I1 and I5; MySQL's unique key makes a second
-- record harmless.
local requestId = ARGV[1]
local user = #ARGV == 1 and string.match(requestId, '^%d+%-(%d+)%-')
if not user then return redis.error_reply('ERR resend: requestId expected') end
local book = redis.call('HMGET', KEYS[1], 'epoch', 'moves')
if not book[1] then return {-1} end
local entry = redis.call('HGET', KEYS[2], user)
if not entry then return {0} end
local id, key, quantity, status, outboxId, resent =
  string.match(entry, '^([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|[^|]*|[^|]*|?(%d*)')
if id ~= requestId or status ~= 'PENDING' then return {0} end
if #redis.call('XRANGE', KEYS[3], outboxId, outboxId) > 0 then return {2, outboxId} end

local count = (tonumber(resent) or 0) + 1
redis.call('ZADD', KEYS[4], 'NX', string.match(outboxId, '^%d+'), user)
redis.call('HSET', KEYS[1], 'moves', string.format('%.0f', book[2] + 1))
local again = redis.pcall('XADD', KEYS[3], '*', 'requestId', id, 'userId', user, 'idemKey', key,
  'quantity', quantity, 'epoch', book[1], 'resent', string.format('%.0f', count))
if type(again) ~= 'string' then
  redis.call('HSET', KEYS[1], 'moves', book[2])
  return again
end
redis.call('HSET', KEYS[2], user, id .. '|' .. key .. '|' .. quantity .. '|PENDING|' .. again .. '|||'
  .. string.format('%.0f', count))
redis.call('ZADD', KEYS[4], string.match(again, '^%d+'), user)
return {1, again, count}
