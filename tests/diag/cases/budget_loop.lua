-- A loop without end.
-- exit: 5
-- args: --max-seconds=1
local n = 0
-- error@+1:1: the spec is still running after 5000000 instructions; if it is meant to, raise --max-seconds
while true do n = n + 1 end
