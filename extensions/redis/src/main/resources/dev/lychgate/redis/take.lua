-- Charges a bucket and then takes units from the bucket. The value of a bucket is the time at which the bucket is full
-- again, in microseconds of the server's clock since 2026. A missing bucket is full.
--
-- KEYS[1]  the bucket
-- ARGV[1]  the time in microseconds in which the bucket regains one unit
-- ARGV[2]  the number of units in the full bucket
-- ARGV[3]  the number of units to charge in any case; a negative number returns units
-- ARGV[4]  the maximum number of units to take from the units that are left
--
-- Returns the units taken, the units left (negative in debt), and the microseconds until the bucket has a unit (0 if it
-- has one).
local time = redis.call('TIME')
local now = (tonumber(time[1]) - 1767225600) * 1000000 + tonumber(time[2])
local interval = tonumber(ARGV[1])
local full = math.max(now, tonumber(redis.call('GET', KEYS[1]) or 0))
full = math.max(now, full + tonumber(ARGV[3]) * interval)
-- No debt takes longer than a year.
full = math.min(full, now + 31622400000000)
local empty = now + tonumber(ARGV[2]) * interval
-- The fraction compensates for the rounding error of the division.
local left = math.floor((empty - full) / interval + 0.000001)
local granted = math.max(0, math.min(left, tonumber(ARGV[4])))
full = full + granted * interval
left = left - granted
if full > now then
  redis.call('SET', KEYS[1], string.format('%.3f', full), 'PX', math.ceil((full - now) / 1000) + 1)
else
  redis.call('DEL', KEYS[1])
end
local wait = 0
if left < 1 then
  wait = math.max(1, math.ceil(full + interval - empty))
end
return { granted, left, wait }
