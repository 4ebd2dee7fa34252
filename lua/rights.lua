-- Which of the commands that the application uses the user of this connection may not run.
--
-- KEYS  1 sale, 2 users, 3 outbox, 4 pending (one hash tag), of a product that nobody sells
-- Returns, texts in quotes
--   TRIED {1, 'refused', ...}: the commands that are refused, such as HSET or XGROUP CREATE
-- Writes nothing. Redis 7 can be asked; an older one shows it when a command is tried, so each names what is not there or has an argument that
-- it finds wrong. PUBLISH then sends an empty text, which no node heeds. What no script may run (EVALSHA, SCRIPT LOAD, INFO, SUBSCRIBE) shows by itself.
local sale, users, outbox, pending = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local commands = {
  {'EXISTS', sale}, {'HGET', sale, 'x'}, {'HGETALL', sale}, {'HMGET', sale, 'x'}, {'HLEN', users}, {'HSCAN', users, '0'},
  {'HSET', sale, 'field', 'value', 'field'}, {'HDEL', users, 'x'}, {'UNLINK', sale}, {'RENAME', sale, users}, {'TIME'},
  {'PUBLISH', 'seckill:events', ''}, {'PUBLISH', (string.gsub(sale, ':sale$', ':ends')), ''},
  {'XACK', outbox, 'x', '0-0'}, {'XADD', outbox, 'no-id', 'field', 'value'}, {'XAUTOCLAIM', outbox, 'x', 'x', '0', '0-0'},
  {'XDEL', outbox, '0-0'}, {'XGROUP', 'CREATE', outbox, 'x', '0'}, {'XGROUP', 'DELCONSUMER', outbox, 'x', 'x'},
  {'XINFO', 'CONSUMERS', outbox, 'x'}, {'XINFO', 'GROUPS', outbox}, {'XINFO', 'STREAM', outbox}, {'XLEN', outbox},
  {'XRANGE', outbox, '0', '0'}, {'XREADGROUP', 'GROUP', 'x', 'x', 'STREAMS', outbox, '>'},
  {'ZADD', pending, 'no-score', 'x'}, {'ZCARD', pending}, {'ZRANGEBYSCORE', pending, '0', '0'}, {'ZREM', pending, 'x'},
}
local function may(command)
  if redis.acl_check_cmd then return redis.acl_check_cmd(unpack(command)) end
  local reply = redis.pcall(unpack(command))
  local error = type(reply) == 'table' and reply.err or ''
  return not string.find(error, 'NOPERM', 1, true) and not string.find(error, 'user executing the script', 1, true)
end
local refused = {1}
for _, command in ipairs(commands) do
  if not may(command) then
    local container = command[1] == 'XGROUP' or command[1] == 'XINFO'
    refused[#refused + 1] = container and command[1] .. ' ' .. command[2] or command[1]
  end
end
return refused
