-- Remove readers from an outbox's group that hold nothing and were not seen for a while: each start of a node reads under a new name.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  1 group, 2 idle (ms), 3 (optional) the one reader to look at
-- Returns, texts in quotes
--   REMOVED {1, readers}: readers: how many were removed
-- Moves no units, leaves moves; needs no book. A reader that holds entries is never removed: its entries would be in no list and never be
-- read again. Looking and removing are one step, so it cannot read in between.
local idle = tonumber(ARGV[2])
if #ARGV < 2 or not idle then return redis.error_reply('ERR retire-readers: group idle [reader] expected') end
if redis.call('EXISTS', KEYS[3]) == 0 then return {1, 0} end
local known = false
for _, group in ipairs(redis.call('XINFO', 'GROUPS', KEYS[3])) do
  for i = 1, #group, 2 do
    known = known or (group[i] == 'name' and group[i + 1] == ARGV[1])
  end
end
if not known then return {1, 0} end
local removed = 0
for _, reader in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[3], ARGV[1])) do
  local is = {}
  for i = 1, #reader, 2 do is[reader[i]] = reader[i + 1] end
  if is.pending == 0 and is.idle >= idle and (not ARGV[3] or ARGV[3] == is.name) then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[3], ARGV[1], is.name)
    removed = removed + 1
  end
end
return {1, removed}
