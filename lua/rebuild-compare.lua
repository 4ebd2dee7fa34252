-- Where a book's entries differ from MySQL's rows.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  1 to 500 triples field of the hash users, requestId, status as MySQL has them
-- Returns, texts in quotes
--   COMPARED {1, same, differences: {'requestId', 'status', 'heldRequestId', 'heldStatus'}, ...}: the entries that differ; what is held is ''
--     where the book has no such entry
--   NO_BOOK {-1}: no book
-- Writes nothing.
local n = #ARGV / 3
if n < 1 or n > 500 or n % 1 ~= 0 then
  return redis.error_reply('ERR rebuild-compare: 1 to 500 triples field requestId status expected')
end
if redis.call('EXISTS', KEYS[1]) == 0 then return {-1} end
local fields = {}
for i = 1, n do fields[i] = ARGV[3 * i - 2] end
local entries = redis.call('HMGET', KEYS[2], unpack(fields))
local same = 0
local found = {1, same}
for i = 1, n do
  local requestId, status = ARGV[3 * i - 1], ARGV[3 * i]
  local id, held
  if entries[i] then id, held = string.match(entries[i], '^([^|]*)|[^|]*|[^|]*|([^|]*)|') end
  if id == requestId and held == status then
    same = same + 1
  else
    found[#found + 1] = {requestId, status, id or '', held or ''}
  end
end
found[2] = same
return found
