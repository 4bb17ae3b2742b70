-- The argument, if there is one, is the length of the request body.
init = function(arguments)
  if arguments[1] then
    wrk.method = "POST"
    wrk.body = string.rep("x", tonumber(arguments[1]))
  end
end

-- Prints what the scripts need in one line of JSON; wrk's own summary rounds percentiles to 10 ms.
done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format(
    '\nSUMMARY {"requests": %d, "micros": %d, "bytes": %d, "p50": %d, "p99": %d, "p999": %d, "max": %d, '
      .. '"connect": %d, "read": %d, "write": %d, "status": %d, "timeout": %d}\n',
    summary.requests, summary.duration, summary.bytes,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9), latency.max,
    e.connect, e.read, e.write, e.status, e.timeout))
end
