-- Reservations that are PENDING since before a time and no longer wait in the outbox: the sweeper's work.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  1 before (ms of Redis's clock: reservations of that time or older), 2 limit (reservations looked at, 1 to 500),
--       3 (optional) offset into the reservations that old, oldest first
-- Returns, texts in quotes
--   OVERDUE {1, reservations: {'requestId', 'userId', 'key', 'quantity', 'outboxId', 'resent'}, ...}: oldest first
--   NO_BOOK {-1}: no book
-- Writes nothing. What is still in the outbox is the relay's.
local limit, offset = tonumber(ARGV[2]), tonumber(ARGV[3] or '0')
if not tonumber(ARGV[1]) or not limit or limit < 1 or limit > 500 or not offset or offset < 0 then
  return redis.error_reply('ERR overdue: before limit [offset] expected')
end
if redis.call('EXISTS', KEYS[1]) == 0 then return {-1} end
local users = redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', ARGV[1], 'LIMIT', offset, limit)
local found = {1}
if #users == 0 then return found end
local entries = redis.call('HMGET', KEYS[2], unpack(users))
for i = 1, #users do
  if entries[i] then
    local id, key, quantity, status, outboxId, resent =
      string.match(entries[i], '^([^|]*)|([^|]*)|([^|]*)|([^|]*)|([^|]*)|[^|]*|[^|]*|?(%d*)')
    if status == 'PENDING' and #redis.call('XRANGE', KEYS[3], outboxId, outboxId) == 0 then
      found[#found + 1] = {id, users[i], key, quantity, outboxId, resent == '' and '0' or resent}
    end
  end
end
return found
