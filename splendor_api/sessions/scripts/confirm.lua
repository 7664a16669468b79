-- Write what changes nothing. A server that is asked to WAIT for replicas waits for what this client
-- wrote last (since Redis 7.2), so if that was nothing, for nothing; now it waits for all that anybody
-- wrote before.
-- KEYS: tombstone, which always has a time to live; probe, which stands in for one that is not there
-- ARGV: none
-- Replies: nothing
if redis.call('PEXPIRE', KEYS[1], redis.call('PTTL', KEYS[1])) == 0 then
  redis.call('SET', KEYS[2], '', 'PX', 1000)
end
