-- Create a session, or find that the same request has created it already. Where nothing is to be
-- written, something is that changes nothing: see confirm.lua.
-- KEYS: session hash, history list, tombstone
-- ARGV: fingerprint, history entry, lifetime in ms, tombstone's lifetime in ms, then field, value …
-- Replies: "created"; "replayed" (the same fingerprint); "reused" (another one)
local function found()
  local fingerprint = redis.call('HGET', KEYS[1], 'fingerprint')
  if fingerprint == ARGV[1] then
    return 'replayed'
  end
  if fingerprint or redis.call('EXISTS', KEYS[3]) == 1 then
    return 'reused'
  end
end

local word = found()
if word then
  redis.call('PEXPIRE', KEYS[3], redis.call('PTTL', KEYS[3]))
  return word
end
redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], unpack(ARGV, 5))
redis.call('RPUSH', KEYS[2], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
redis.call('SET', KEYS[3], '1', 'PX', ARGV[4])
return 'created'
