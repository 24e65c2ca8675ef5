-- Reports lines of the templates that no case ran, and fields that none of them read.
--
--   lua report.lua RAN FIELDS NAME=LISTING=TEXT ...
--
-- RAN has "NAME NUMBER" for each line that ran, and "TYPE.FIELD" for each field that was read; FIELDS lists all fields.
-- LISTING is the output of `luac -l` for the Lua of a template, and TEXT the template. A line can run if it has an
-- instruction of its own; the returns at a function's end and the jumps after an `else` come from the compiler, not from
-- the template. Exits with 1, and names each line that did not run and each field that was not read.
local ran = {}
for line in io.lines(arg[1]) do
  ran[line] = true
end

local function lines_of(path)
  local list = {}
  for line in io.lines(path) do
    list[#list + 1] = line
  end
  return list
end

local all, missing = 0, {}
for i = 3, #arg do
  local name, listing, text = arg[i]:match("^(.-)=(.-)=(.*)$")
  local lines, can_run = lines_of(text), {}
  for line in io.lines(listing) do
    local number, instruction = line:match("^%s*%d+%s+%[(%d+)%]%s+(%S+)")
    if number and instruction ~= "VARARGPREP" then
      can_run[tonumber(number)] = true
    end
  end
  for number, line in ipairs(lines) do
    local code = line:match("^%s*%$%s*(.-)%s*$") or (name:match("%.lua$") and line:match("^%s*(.-)%s*$"))
    local is_compilers = code and (code:match("^end[%s,;)}]*$") or code:match("^else$"))
    if can_run[number] and not is_compilers then
      all = all + 1
      if not ran[name .. " " .. number] then
        missing[#missing + 1] = ("templates/%s:%d: never ran: %s"):format(name, number, line)
      end
    end
  end
end

local unread = 0
for field in io.lines(arg[2]) do
  if not ran[field] then
    print(("generator/emit/model.inc: no template reads %s"):format(field))
    unread = unread + 1
  end
end
for _, line in ipairs(missing) do
  print(line)
end
print(("%d of %d lines of the templates ran, %.2f %%"):format(all - #missing, all, 100 * (all - #missing) / all))
os.exit(#missing == 0 and unread == 0 and all > 0)
