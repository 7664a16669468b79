-- Commit one step of a session, all or nothing. Reads and checks come first, writes last. Where nothing
-- is to be written, something is that changes nothing: see confirm.lua.
-- KEYS: session hash, history list, answers hash, tombstone
-- ARGV: 1 number, 2 commit id that the step was made from
--       3 commit id of the step, 4 access number that it was allowed under
--       5 field of the answers hash or "", 6 fingerprint
--       7 history entry (begins with "<number + 1>.<commit id of the step> ")
--       8 lifetime in ms, 9 tombstone's lifetime in ms, 10 channel, then field, value …
-- Replies: "committed <number>"; "replayed <number>" (the same request was committed before)
--          "reused" (another request under the key); "access" (tokens have changed since)
--          "stale <number>" (another step was faster); "gone"
local number = tonumber(ARGV[1]) + 1
local version = number .. '.' .. ARGV[3]

local function found()
  local now = redis.call('HMGET', KEYS[1], 'number', 'commit', 'access_number')
  if not now[1] then
    return 'gone'
  end
  local is_present = now[1] == ARGV[1] and now[2] == ARGV[2]
  if not is_present then
    local own = redis.call('LINDEX', KEYS[2], ARGV[1])
    if own and string.sub(own, 1, #version + 1) == version .. ' ' then
      return 'committed ' .. number
    end
  end
  if ARGV[5] ~= '' then
    local answer = redis.call('HGET', KEYS[3], ARGV[5])
    if answer then
      local fingerprint, first = string.match(answer, '^(%S+) (%d+)$')
      if fingerprint == ARGV[6] then
        return 'replayed ' .. first
      end
      return 'reused'
    end
  end
  if now[3] ~= ARGV[4] then
    return 'access'
  end
  if not is_present then
    return 'stale ' .. now[1]
  end
end

local word = found()
if word then
  redis.call('PEXPIRE', KEYS[4], redis.call('PTTL', KEYS[4]))
  return word
end
redis.call('HSET', KEYS[1], 'number', number, 'commit', ARGV[3], unpack(ARGV, 11))
redis.call('RPUSH', KEYS[2], ARGV[7])
if ARGV[5] ~= '' then
  redis.call('HSET', KEYS[3], ARGV[5], ARGV[6] .. ' ' .. number)
end
for i = 1, 3 do
  redis.call('PEXPIRE', KEYS[i], ARGV[8])
end
redis.call('SET', KEYS[4], '1', 'PX', ARGV[9])
redis.call('PUBLISH', ARGV[10], version)
return 'committed ' .. number
