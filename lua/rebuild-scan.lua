-- A page of a book's entries, to be looked up in MySQL.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  1 cursor ('0' to begin), 2 status ('' for all; FAIL stands for every FAIL_...)
-- Returns, texts in quotes
--   PAGE {1, 'cursor', entries: {'requestId', 'quantity', 'status'}, ...}: cursor '0' when this was the last page. An entry may come twice.
--   NO_BOOK {-1}: no book
-- Writes nothing. A page looks at about 500 entries.
if #ARGV ~= 2 or not string.find(ARGV[1], '^%d+$') then
  return redis.error_reply('ERR rebuild-scan: cursor status expected')
end
if redis.call('EXISTS', KEYS[1]) == 0 then return {-1} end
local page = redis.call('HSCAN', KEYS[2], ARGV[1], 'COUNT', 500)
local found = {1, page[1]}
for i = 2, #page[2], 2 do
  local id, quantity, status = string.match(page[2][i], '^([^|]*)|[^|]*|([^|]*)|([^|]*)|')
  if id and string.sub(status, 1, #ARGV[2]) == ARGV[2] then
    found[#found + 1] = {id, quantity, status}
  end
end
return found
