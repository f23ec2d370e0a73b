-- For wrk: sends the requests of a file, separated by zero bytes, one after the other, and prints
-- one line of figures. "{n}" in a request becomes a number that no other request has.
local heads, tails, sent, run = {}, {}, 0, os.time() .. "-"

function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
  for text in (file:read("*a") .. "\0"):gmatch("(.-)%z") do
    local from, to = text:find("{n}", 1, true)
    heads[#heads + 1] = from and text:sub(1, from - 1) or text
    tails[#heads] = from and text:sub(to + 1) or false
  end
  file:close()
end

function request()
  sent = sent + 1
  local index = sent % #heads + 1
  return tails[index] and heads[index] .. run .. sent .. tails[index] or heads[index]
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format("RESULT %d %d %d %d %d\n", summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), failed))
end
