-- A loop without end.
-- exit: 5
-- args: --spec-steps=100000
local n = 0
-- error@+1:1: the spec is still running after 100000 instructions; if it is meant to, raise --spec-steps
while true do n = n + 1 end
