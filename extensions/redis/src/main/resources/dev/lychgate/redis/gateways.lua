-- Registers or removes a gateway, and counts the gateways whose registrations have not expired.
--
-- KEYS[1]  the gateways, by the time of their last registration in milliseconds
-- ARGV[1]  the name of the gateway
-- ARGV[2]  the time in milliseconds after which a registration expires; 0 removes the gateway
--
-- Returns the number of gateways.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local lasts = tonumber(ARGV[2])
if lasts > 0 then
  redis.call('ZADD', KEYS[1], now, ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - lasts)
  redis.call('PEXPIRE', KEYS[1], lasts)
else
  redis.call('ZREM', KEYS[1], ARGV[1])
end
return { redis.call('ZCARD', KEYS[1]) }
