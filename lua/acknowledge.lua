-- Take entries out of the outbox that Kafka has acknowledged. Acknowledge and delete are one step: an entry acknowledged but not deleted
-- would never be read again, and one deleted but not acknowledged would be claimed for ever.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  1 group, then 1 to 2000 ids of outbox entries
-- Returns, texts in quotes
--   ACKNOWLEDGED {1, deleted}: deleted: entries deleted now
-- A user who may not delete fails at an id that no entry has, before anything is acknowledged.
-- Moves no units, leaves moves; needs no book. Uses no command that a full Redis refuses, so it can always be drained.
local ids = {}
for i = 2, #ARGV do
  if not string.find(ARGV[i], '^%d+%-%d+$') then
    return redis.error_reply('ERR acknowledge: bad id ' .. ARGV[i])
  end
  ids[i - 1] = ARGV[i]
end
if #ids < 1 or #ids > 2000 then
  return redis.error_reply('ERR acknowledge: group and 1 to 2000 ids expected')
end
redis.call('XDEL', KEYS[3], '0-0')
redis.call('XACK', KEYS[3], ARGV[1], unpack(ids))
return {1, redis.call('XDEL', KEYS[3], unpack(ids))}
