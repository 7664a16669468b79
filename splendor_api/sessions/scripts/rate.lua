-- Count a request against a rate. The window begins with its first request and ends by itself.
-- KEYS: counter
-- ARGV: 1 length of the window in ms
-- Replies: {requests in this window, this one included; ms until it ends}
local count = redis.call('INCR', KEYS[1])
if count == 1 or redis.call('PTTL', KEYS[1]) > tonumber(ARGV[1]) then  -- the clock was set back
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
return {count, redis.call('PTTL', KEYS[1])}
