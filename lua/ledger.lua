-- The book of a sale, as one snapshot.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- Returns, texts in quotes
--   SNAPSHOT {1, initial, restocked, available, pending, sold, writtenOff, released, maxQuantity, 'startsAt', 'endsAt', 'state', epoch,
--     moves, outboxLength, 'oldestOutboxId', 'lastOutboxId', now, buyers, closed, 'run', fencing}: startsAt and endsAt in ms, or ''; oldestOutboxId is ''
--     when the outbox is empty, lastOutboxId, the highest ever given, when it was never written; now: ms of Redis's clock; buyers: entries
--     of users; closed: 1 while a rebuild keeps the book shut, else 0; run: the run id of the Redis in which the book was made or adopted, or '';
--     fencing: the epoch that an adoption is about to give it, 0 where none is
--   NO_BOOK {-1}: no book
-- Writes nothing. In every snapshot available + pending + sold + writtenOff = initial + restocked (I1).
local b = redis.call('HMGET', KEYS[1], 'initial', 'restocked', 'available', 'pending', 'sold', 'writtenOff', 'released',
  'maxQuantity', 'startsAt', 'endsAt', 'state', 'epoch', 'moves', 'closed', 'run', 'fencing')
if not b[1] then return {-1} end
local length, oldest, last = 0, '', ''
if redis.call('EXISTS', KEYS[3]) == 1 then
  local info = redis.call('XINFO', 'STREAM', KEYS[3])
  for i = 1, #info, 2 do
    if info[i] == 'length' then
      length = info[i + 1]
    elseif info[i] == 'last-generated-id' then
      last = info[i + 1]
    elseif info[i] == 'first-entry' and info[i + 1] then
      oldest = info[i + 1][1]
    end
  end
end
local time = redis.call('TIME')
return {1, tonumber(b[1]), tonumber(b[2]), tonumber(b[3]), tonumber(b[4]), tonumber(b[5]), tonumber(b[6]), tonumber(b[7]),
  tonumber(b[8]), b[9], b[10], b[11], tonumber(b[12]), tonumber(b[13]), length, oldest, last,
  time[1] * 1000 + math.floor(time[2] / 1000), redis.call('HLEN', KEYS[2]), b[14] and 1 or 0, b[15] or '',
  tonumber(b[16] or '0')}
