-- Open the rebuilt book: the staged entries take the place of what there is, with the units MySQL counts.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending, 5 staged sale, 6 staged users (one hash tag)
-- ARGV  1 epoch, 2 entries (staged), 3 initial, 4 restocked, 5 sold, 6 writtenOff, 7 released (units), 8 maxQuantity,
--       9 startsAt, 10 endsAt (ms, '' when open), 11 state (OPEN, PAUSED or ENDED), 12 highest outbox id in MySQL ('' when there is none),
--       13 (optional) run id of this Redis
-- Returns, texts in quotes
--   OPEN {1, available, moves}: open
--   OVERTAKEN {0, 'epoch'}: another rebuild has the staging keys, none was begun (''), or a book of a later epoch is there: nothing written
--   NOT_STAGED {2, entries}: not all entries are staged: nothing written
--   OVERSOLD {3, available}: more was sold than there is (available is negative): nothing written, the book stays closed
-- Makes a book in which available = initial + restocked - sold - writtenOff and nothing is pending. The outbox stays: what it holds is of an
-- older epoch and must still reach MySQL; its next id is higher than any in MySQL. moves is higher than it ever was. Publishes the sale and its
-- stock. Old entries are unlinked, not deleted: 10^6 of them would stall Redis. Keeps I1 and I8. Running it twice changes nothing.
local n = {}
for i = 1, 8 do
  n[i] = tonumber(ARGV[i])
  if not n[i] or n[i] < 0 or n[i] % 1 ~= 0 or n[i] >= 2 ^ 53 then
    return redis.error_reply('ERR rebuild-swap: argument ' .. i .. ' must be a count')
  end
end
local epoch, entries, state, highest = n[1], n[2], ARGV[11], ARGV[12]
if #ARGV < 12 or epoch < 1 or n[8] < 1 or not string.find(ARGV[9], '^%d*$') or not string.find(ARGV[10], '^%d*$')
  or (state ~= 'OPEN' and state ~= 'PAUSED' and state ~= 'ENDED')
  or (highest ~= '' and not string.find(highest, '^%d+%-%d+$')) then
  return redis.error_reply('ERR rebuild-swap: startsAt endsAt state highestOutboxId expected')
end
local book = redis.call('HMGET', KEYS[1], 'epoch', 'moves', 'available')
if book[1] and tonumber(book[1]) == epoch then return {1, tonumber(book[3]), tonumber(book[2])} end
if book[1] and tonumber(book[1]) > epoch then return {0, book[1]} end
local staged = redis.call('HGET', KEYS[5], 'epoch')
if not staged or tonumber(staged) ~= epoch then return {0, staged or ''} end
local held = redis.call('HLEN', KEYS[6])
if held ~= entries then return {2, held} end
local available = n[3] + n[4] - n[5] - n[6]
if available < 0 then return {3, available} end

-- each epoch has a range of moves of its own, so a node that kept the moves of a lost book sees others
local moves = epoch * 2 ^ 32
if book[2] and tonumber(book[2]) >= moves then moves = book[2] + 1 end
moves = string.format('%.0f', moves)

-- whether the outbox's next id must be raised above the highest in MySQL
local raise = false
if highest ~= '' then
  local last = '0-0'
  if redis.call('EXISTS', KEYS[3]) == 1 then
    local info = redis.call('XINFO', 'STREAM', KEYS[3])
    for i = 1, #info, 2 do
      if info[i] == 'last-generated-id' then last = info[i + 1] end
    end
  end
  local lastMs, lastSeq = string.match(last, '^(%d+)%-(%d+)$')
  local ms, seq = string.match(highest, '^(%d+)%-(%d+)$')
  lastMs, lastSeq, ms, seq = tonumber(lastMs), tonumber(lastSeq), tonumber(ms), tonumber(seq)
  raise = lastMs < ms or (lastMs == ms and lastSeq < seq)
end

-- what the user of this connection may not do fails here, where the book is still what it was: none of this changes anything
redis.call('HSET', KEYS[5], 'epoch', staged)
redis.call('XDEL', KEYS[3], '0-0')
if entries > 0 then redis.call('RENAME', KEYS[6], KEYS[6]) end
local refused = redis.pcall('XADD', KEYS[3], 'no-id', 'epoch', ARGV[1])
if not string.find(refused.err, 'Invalid stream ID', 1, true) then return refused end
local product = string.match(KEYS[1], '{(%d+)}')
redis.call('PUBLISH', 'seckill:events', 'sale ' .. product)
redis.call('PUBLISH', 'seckill:events', 'stock ' .. product .. ' ' .. string.format('%.0f', available) .. ' ' .. moves)

redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[4], KEYS[5])
if entries > 0 then redis.call('RENAME', KEYS[6], KEYS[2]) end
redis.call('HSET', KEYS[1], 'initial', ARGV[3], 'restocked', ARGV[4], 'available', string.format('%.0f', available),
  'pending', '0', 'sold', ARGV[5], 'writtenOff', ARGV[6], 'released', ARGV[7], 'maxQuantity', ARGV[8],
  'startsAt', ARGV[9], 'endsAt', ARGV[10], 'state', state, 'epoch', ARGV[1], 'moves', moves, 'run', ARGV[13] or '')
if raise then redis.call('XDEL', KEYS[3], redis.call('XADD', KEYS[3], highest, 'epoch', ARGV[1])) end
return {1, available, tonumber(moves)}
