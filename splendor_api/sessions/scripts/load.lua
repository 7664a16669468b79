-- Load a session as it is now, in one round trip; nothing is written.
-- KEYS: session hash, history list, answers hash, tombstone
-- ARGV: index in the history to read from, or -1 for none of it
--       name of an idempotency key, or "" for none; number of seats whose answers to it may be there
--       number and commit id of the version that the caller knows, or "" twice
-- Replies: one text of six parts, with SOH between them: seconds, microseconds, "1" if only a
--   tombstone stands, answers, fields, history. Each of the last three is parts with NUL between
--   them, "" if there are none: field, answer, … to the key; name, value, … of the session, if it is
--   there, or one word, "known", if it is at the version that the caller knows; line, …
--   What is stored has neither of the two characters.
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
local fields = {'known'}
local now = ARGV[4] ~= '' and redis.call('HMGET', KEYS[1], 'number', 'commit')
if not now or now[1] ~= ARGV[4] or now[2] ~= ARGV[5] then
  fields = redis.call('HGETALL', KEYS[1])
end
return table.concat({
  time[1],
  time[2],
  #fields > 0 and '' or tostring(redis.call('EXISTS', KEYS[4])),
  table.concat(answers, '\0'),
  table.concat(fields, '\0'),
  table.concat(history, '\0'),
}, '\1')
