-- Tells what one node counted, and what all nodes told last, while somebody watches.
--
-- KEYS  1 nodes: a hash of all nodes, with fields node:NAME and watched
-- ARGV  1 name of the node, 2 what it tells, as JSON ('' where nobody watches), 3 1 where somebody watches at this node, else 0
-- Returns, texts in quotes
--   NODES {1, now, watched, nodes: {'node', 'seenAt', 'told'}, ...}: now, seenAt: ms of Redis's clock; watched: 1 where somebody has watched at any node
--     within 5 s, else 0; the nodes only where somebody watches at this one
-- Writes this node's field and, where somebody watches here, the time. Forgets nodes that have been silent for ten minutes.
local name, told, here = ARGV[1], ARGV[2], ARGV[3]
if #ARGV ~= 3 or name == '' or (here ~= '0' and here ~= '1') then
  return redis.error_reply('ERR nodes: name, what it tells and 0 or 1 expected')
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local own = 'node:' .. name
local all = redis.call('HGETALL', KEYS[1])
local forgotten, watchedAt, seen = {''}, 0, {}
for i = 1, #all, 2 do
  local field, value = all[i], all[i + 1]
  if field == 'watched' then
    watchedAt = tonumber(value) or 0
  elseif field ~= own then
    local at, text = string.match(value, '^(%d+) (.*)$')
    if at and now - at < 600000 then
      seen[#seen + 1] = {string.sub(field, 6), at, text}
    else
      forgotten[#forgotten + 1] = field
    end
  end
end
redis.call('HDEL', KEYS[1], unpack(forgotten, 1, math.min(#forgotten, 1000)))
local time_text = string.format('%.0f', now)
if here == '1' then
  watchedAt = now
  redis.call('HSET', KEYS[1], own, time_text .. ' ' .. told, 'watched', time_text)
else
  redis.call('HSET', KEYS[1], own, time_text .. ' ' .. told)
end
local reply = {1, now, now - watchedAt < 5000 and 1 or 0}
if here == '1' then
  reply[4] = {name, time_text, told}
  for i = 1, #seen do reply[4 + i] = seen[i] end
end
return reply
