-- For wrk: asks for the paths of a file in turn, and counts the answers by what they are.
local paths, threads, next_path = {}, {}, 0

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  for line in io.lines(args[1]) do
    table.insert(paths, line)
  end
  answers = {}
end

function request()
  next_path = next_path % #paths + 1
  return wrk.format("GET", paths[next_path])
end

-- How long each reader waits before the next question, in milliseconds.
function delay()
  return 2000
end

function response(status, headers)
  local kind = tostring(status)
  if status == 503 and headers["Retry-After"] == nil and headers["retry-after"] == nil then
    kind = "503 without Retry-After"
  end
  answers[kind] = (answers[kind] or 0) + 1
end

function done(summary)
  local total = {}
  for _, thread in ipairs(threads) do
    for kind, count in pairs(thread:get("answers")) do
      total[kind] = (total[kind] or 0) + count
    end
  end
  local errors = summary.errors
  total["connections that broke"] = errors.connect + errors.read + errors.write
  total["nothing for 20 s"] = errors.timeout
  local parts = {}
  for kind, count in pairs(total) do
    table.insert(parts, string.format('"%s":%d', kind, count))
  end
  print("counted {" .. table.concat(parts, ",") .. "}")
end
