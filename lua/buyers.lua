-- A page of a book's live entries, for comparing them with MySQL's orders once the sale is at rest.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  1 cursor ('0' to begin), 2 count (entries looked at, about; 1 to 1000)
-- Returns
--   {1, cursor, requestId, status, quantity, requestId, status, quantity, ...}  cursor '0': that was the last page; quantity is an integer,
--                                                                               all else strings; an entry may come twice (HSCAN)
--   {-1}  no book
-- Writes nothing.
local count = tonumber(ARGV[2])
if #ARGV ~= 2 or not string.find(ARGV[1], '^%d+$') or not count or count < 1 or count > 1000 or count % 1 ~= 0 then
  return redis.error_reply('ERR buyers: cursor and count expected')
end
if redis.call('EXISTS', KEYS[1]) == 0 then return {-1} end
local page = redis.call('HSCAN', KEYS[2], ARGV[1], 'COUNT', ARGV[2])
local reply = {1, page[1]}
for i = 1, #page[2], 2 do
  if not string.find(page[2][i], '|', 1, true) then
    local id, quantity, status = string.match(page[2][i + 1], '^([^|]*)|[^|]*|([^|]*)|([^|]*)')
    reply[#reply + 1] = id
    reply[#reply + 1] = status
    reply[#reply + 1] = tonumber(quantity)
  end
end
return reply
