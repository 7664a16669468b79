-- Delete a session; a tombstone says for a while that it was there. Where nothing is to be written,
-- something is that changes nothing: see confirm.lua.
-- KEYS: session hash, history list, answers hash, tombstone, streams set
-- ARGV: 1 access number that it was allowed under, 2 tombstone's lifetime in ms, 3 channel
--       4 number and 5 commit id of the version to be deleted, or "" for any
-- Replies: "deleted"; "access" (tokens have changed since); "stale" (it is at another version)
--          "gone"
local function found()
  local now = redis.call('HMGET', KEYS[1], 'access_number', 'number', 'commit')
  if not now[1] then
    return 'gone'
  end
  if now[1] ~= ARGV[1] then
    return 'access'
  end
  if ARGV[4] ~= '' and (now[2] ~= ARGV[4] or now[3] ~= ARGV[5]) then
    return 'stale'
  end
end

local word = found()
if word then
  redis.call('PEXPIRE', KEYS[4], redis.call('PTTL', KEYS[4]))
  return word
end
redis.call('SET', KEYS[4], '1', 'PX', ARGV[2])
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3], KEYS[5])
redis.call('PUBLISH', ARGV[3], 'closed')
return 'deleted'
