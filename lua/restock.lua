-- Add units to a sale.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  1 units (of this restock, at least 1), 2 total (units restocked so far as MySQL has it, this restock included)
-- Returns, texts in quotes
--   RESTOCKED {1, available, restocked, added}: added: the units that were missing to reach total, 0 when the book has it already
--   NO_BOOK {-1}: no book, or closed for a rebuild, which takes the units from MySQL
-- Makes units: available and restocked rise to MySQL's total, so a restock that is run twice adds once and one that was lost between MySQL
-- and Redis arrives with the next. Raises moves, publishes the stock. Keeps I1 and I9.
local units, total = tonumber(ARGV[1]), tonumber(ARGV[2])
if #ARGV ~= 2 or not units or units < 1 or units % 1 ~= 0 or not total or total < units or total % 1 ~= 0
  or total >= 2 ^ 53 then
  return redis.error_reply('ERR restock: units and total expected, total at least units')
end
local book = redis.call('HMGET', KEYS[1], 'available', 'restocked', 'moves', 'closed')
if not book[1] or book[4] then return {-1} end
local added = total - book[2]
if added <= 0 then return {1, tonumber(book[1]), tonumber(book[2]), 0} end
local available = string.format('%.0f', book[1] + added)
local moves = string.format('%.0f', book[3] + 1)
redis.call('PUBLISH', 'seckill:events', 'stock ' .. string.match(KEYS[1], '{(%d+)}') .. ' ' .. available .. ' ' .. moves)
redis.call('HSET', KEYS[1], 'available', available, 'restocked', string.format('%.0f', total), 'moves', moves)
return {1, tonumber(available), total, added}
