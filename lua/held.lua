-- Which reservations of an older epoch the book still holds as pending, for the writer.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  1 to 500 requestIds
-- Returns, texts in quotes
--   HELD {1, epoch, fencing, reservations: {'requestId', 'quantity', 'outboxId'}, ...}: those that are PENDING, as the book has them;
--     fencing: the epoch that an adoption is about to give the book, 0 where none is
--   NO_BOOK {-1}: no book
-- Writes nothing. Also asks a book that a rebuild has closed: what it holds may still become an order.
if #ARGV < 1 or #ARGV > 500 then
  return redis.error_reply('ERR held: 1 to 500 requestIds expected')
end
local users = {}
for i = 1, #ARGV do
  users[i] = string.match(ARGV[i], '^%d+%-(%d+)%-')
  if not users[i] then return redis.error_reply('ERR held: bad requestId ' .. i) end
end
local book = redis.call('HMGET', KEYS[1], 'epoch', 'fencing', 'closed')
if not book[1] then return {-1} end
-- nobody completes the adoption of a closed book
local reply = {1, tonumber(book[1]), book[3] and 0 or tonumber(book[2] or '0')}
local entries = redis.call('HMGET', KEYS[2], unpack(users))
for i = 1, #ARGV do
  if entries[i] then
    local id, quantity, status, outboxId = string.match(entries[i], '^([^|]*)|[^|]*|([^|]*)|([^|]*)|([^|]*)|')
    if id == ARGV[i] and status == 'PENDING' then reply[#reply + 1] = {id, quantity, outboxId} end
  end
end
return reply
