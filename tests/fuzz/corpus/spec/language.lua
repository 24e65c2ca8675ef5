local m = setmetatable({}, { __index = function(_, k) return k .. "!" end })
local n = 0
for k, v in pairs({ b = 2, a = 1, [1] = 3, [true] = 4 }) do n = n + v end
local ok, why = pcall(error, { code = m.x })
goto done
::done::
return split { name = string.format("n%d", n), dtype = "i8", shape = { n }, lengths = { n - 1, 1 } }
