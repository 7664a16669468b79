-- Delete a session; a tombstone says for a while that it was there.
-- KEYS: session hash, history list, answers hash, tombstone
-- ARGV: access number that it was allowed under, tombstone's lifetime in ms, channel
-- Replies: "deleted"; "access" (tokens have changed since); "gone"
local access = redis.call('HGET', KEYS[1], 'access_number')
if not access then
  return 'gone'
end
if access ~= ARGV[1] then
  return 'access'
end
redis.call('SET', KEYS[4], '1', 'PX', ARGV[2])
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3])
redis.call('PUBLISH', ARGV[3], 'closed')
return 'deleted'
