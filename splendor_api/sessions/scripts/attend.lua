-- Take or keep the place of an open stream in a session, or find that all places are taken.
-- A place is let for a while only, so that one whose worker has died is free again.
-- KEYS: streams set (of places, by the time until which each is taken)
-- ARGV: 1 the store's time in ms, 2 ms for which a place is let, 3 most places, 4 this stream's id
-- Replies: "seated"; "full"
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
if not redis.call('ZSCORE', KEYS[1], ARGV[4])
  and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then
  return 'full'
end
redis.call('ZADD', KEYS[1], ARGV[1] + ARGV[2], ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 'seated'
