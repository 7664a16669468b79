-- Load a session as it is now, in one round trip; nothing is written.
-- KEYS: session hash, history list, answers hash, tombstone
-- ARGV: index in the history to read from, or -1 for none of it
--       name of an idempotency key, or "" for none; number of seats whose answers to it may be there
-- Replies: [seconds, microseconds, "1" if a tombstone stands, answers, fields, history]; each of
--   the last three is one text of parts with NUL between them, which no part contains, "" if empty:
--   field, answer, … to the key; name, value, … of the session, if it is there; line, …
local time = redis.call('TIME')
local answers = {}
if ARGV[2] ~= '' then
  local fields = {ARGV[2] .. 'host'}
  for seat = 0, ARGV[3] - 1 do
    fields[seat + 2] = ARGV[2] .. seat
  end
  for i, answer in ipairs(redis.call('HMGET', KEYS[3], unpack(fields))) do
    if answer then
      answers[#answers + 1] = fields[i]
      answers[#answers + 1] = answer
    end
  end
end
local history = {}
if tonumber(ARGV[1]) >= 0 then
  history = redis.call('LRANGE', KEYS[2], ARGV[1], -1)
end
local fields = redis.call('HGETALL', KEYS[1])
return {
  time[1],
  time[2],
  tostring(redis.call('EXISTS', KEYS[4])),
  table.concat(answers, '\0'),
  table.concat(fields, '\0'),
  table.concat(history, '\0'),
}
