-- Plays the game in a file again and again, each time in a new session; tells the outcome as one
-- line of JSON. Each thread has one connection, so that an answer is that to its last request.
-- The file: the body that creates the session, then a line "<seat> <body>" for each action.
-- wrk -t <n> -c <n> -s session.lua <url> -- <file>

local creation
local steps = {}
local place = 0
local session, tokens, version

function init(args)
  for line in io.lines(args[1]) do
    if not creation then
      creation = line
    else
      local seat, body = line:match("^(%d+) (.+)$")
      steps[#steps + 1] = {tonumber(seat) + 1, body}
    end
  end
end

function request()
  if not session then
    return wrk.format("POST", "/v1/sessions", {["Content-Type"] = "application/json"}, creation)
  end
  place = place + 1
  local seat, body = unpack(steps[place])
  return wrk.format("POST", "/v1/sessions/" .. session .. "/actions", {
    ["Content-Type"] = "application/json",
    ["Authorization"] = "Bearer " .. tokens[seat],
    ["If-Match"] = '"' .. version .. '"',
    ["Idempotency-Key"] = "key-of-what-follows-" .. version,
  }, body)
end

function response(status, headers, body)
  version = body:match('"version":"([^"]+)"')
  if not session then
    session, tokens = body:match('"id":"([^"]+)"'), {}
    for token in body:match('"seat_tokens":%[([^%]]*)%]'):gmatch('"([^"]+)"') do
      tokens[#tokens + 1] = token
    end
  elseif place == #steps then
    session, place = nil, 0
  end
end

function done(summary)
  local errors = summary.errors
  io.write(string.format('{"answers": %d, "microseconds": %d, "failures": %d}\n',
    summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
