-- Sends the bodies in a file, one a line, in turn, by POST; tells the outcome as one line of JSON.
-- wrk -s load.lua <url> -- <file>

local requests = {}
local place = 0

function init(args)
  wrk.headers["Content-Type"] = "application/json"
  for body in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("POST", nil, nil, body)
  end
end

function request()
  place = place % #requests + 1
  return requests[place]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"answers": %d, "microseconds": %d, "failures": %d, "p50": %d, "p99": %d}\n',
    summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
