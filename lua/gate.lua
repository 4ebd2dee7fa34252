-- What a node's sold-out gate must know of a book: whether units are left, what would bring some back, and who bought.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag)
-- ARGV  1 cursor of the buyers ('0' begins, '' asks for none), 2 buyers wanted at most, about
-- Returns, texts in quotes
--   SEEN {1, available, released, restocked, epoch, maxQuantity, 'state', 'endsAt', now, 'cursor', 'fields', ...}: endsAt in ms, or '';
--     now: ms of Redis's clock; cursor '0': no more; fields of users: userId, or userId|key
--   NO_BOOK {-1}: no book, or closed for a rebuild: it may hold units again when it opens
-- Writes nothing. While nothing is available nobody can become a buyer: a reservation needs a unit, and a unit comes back only with
-- released, restocked or epoch raised. A scan between two equal answers has seen every buyer.
if #ARGV ~= 2 or not string.find(ARGV[1], '^%d*$') or not tonumber(ARGV[2]) then
  return redis.error_reply('ERR gate: cursor count expected')
end
local b = redis.call('HMGET', KEYS[1], 'available', 'released', 'restocked', 'epoch', 'maxQuantity', 'state', 'endsAt',
  'closed')
if not b[1] or b[8] then return {-1} end
local time = redis.call('TIME')
local reply = {1, tonumber(b[1]), tonumber(b[2]), tonumber(b[3]), tonumber(b[4]), tonumber(b[5]), b[6], b[7],
  time[1] * 1000 + math.floor(time[2] / 1000), '0'}
if ARGV[1] ~= '' then
  local page = redis.call('HSCAN', KEYS[2], ARGV[1], 'COUNT', ARGV[2])
  reply[10] = page[1]
  for i = 1, #page[2], 2 do
    reply[#reply + 1] = page[2][i]
  end
end
return reply
