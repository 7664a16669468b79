-- Load a session as it is now, in one round trip; nothing is written.
-- KEYS: session hash, history list, answers hash, tombstone
-- ARGV: index in the history to read from, or -1 for none of it; then fields of the answers hash
-- Replies: [seconds, microseconds, "1" if a tombstone stands, answers, fields, history]
--   with an answer or "" for each field asked for, and fields as [name, value, …], empty where
--   there is no such session
local time = redis.call('TIME')
local answers = {}
for i = 2, #ARGV do
  answers[i - 1] = redis.call('HGET', KEYS[3], ARGV[i]) or ''
end
local history = {}
if tonumber(ARGV[1]) >= 0 then
  history = redis.call('LRANGE', KEYS[2], ARGV[1], -1)
end
local stone = tostring(redis.call('EXISTS', KEYS[4]))
return {time[1], time[2], stone, answers, redis.call('HGETALL', KEYS[1]), history}
