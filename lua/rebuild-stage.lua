-- Put entries of a book that is being rebuilt aside, under staging keys.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending, 5 staged sale, 6 staged users (one hash tag)
-- ARGV  1 epoch of the rebuild, then 0 to 500 pairs field, entry of the hash users; no pair: begin, whatever an earlier rebuild left is dropped
-- Returns, texts in quotes
--   STAGED {1, entries}: staged so far
--   OVERTAKEN {0, 'epoch'}: a rebuild of another epoch has the staging keys, or none was begun (epoch ''): nothing written
-- What the user of this connection may not do fails while an earlier rebuild's entries are still there.
-- Moves no units: nobody reads staging keys but rebuild-swap.lua. Begin closes a book of an older epoch that is there. Running it twice
-- changes nothing.
local epoch = tonumber(ARGV[1])
local n = (#ARGV - 1) / 2
if not epoch or epoch < 1 or n % 1 ~= 0 or n > 500 then
  return redis.error_reply('ERR rebuild-stage: epoch and 0 to 500 pairs expected')
end
local staged = redis.call('HGET', KEYS[5], 'epoch')
if n == 0 then
  if staged and tonumber(staged) > epoch then return {0, staged} end
  local book = redis.call('HMGET', KEYS[1], 'epoch', 'moves', 'closed')
  local close = book[1] and tonumber(book[1]) < epoch and not book[3]
  if close then redis.call('PUBLISH', 'seckill:events', 'sale ' .. string.match(KEYS[1], '{(%d+)}')) end
  if staged then redis.call('HSET', KEYS[5], 'epoch', staged) end
  redis.call('UNLINK', KEYS[6])
  redis.call('HSET', KEYS[5], 'epoch', ARGV[1])
  if close then redis.call('HSET', KEYS[1], 'closed', '1', 'moves', string.format('%.0f', book[2] + 1)) end
  return {1, 0}
end
if not staged or tonumber(staged) ~= epoch then return {0, staged or ''} end
local before = redis.call('HLEN', KEYS[6])
return {1, before + redis.call('HSET', KEYS[6], unpack(ARGV, 2))}
