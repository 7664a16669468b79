-- Take or keep the place of an open stream in a session, or find that all places are taken: those
-- of one audience are counted by themselves. A place is let for a while only.
-- KEYS: streams set (of places, by the time until which each is taken)
-- ARGV: 1 the store's time in ms, 2 ms for which a place is let, 3 most places of the audience
--       4 this place, whose name begins with the audience and ":"
-- Replies: [] (seated); [place, …] (full: those that are taken)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
if not redis.call('ZSCORE', KEYS[1], ARGV[4]) then
  local audience, taken = ARGV[4]:match('^[^:]*:'), {}
  for _, place in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    if place:sub(1, #audience) == audience then
      taken[#taken + 1] = place
    end
  end
  if #taken >= tonumber(ARGV[3]) then
    return taken
  end
end
redis.call('ZADD', KEYS[1], ARGV[1] + ARGV[2], ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {}
