-- A spec that tries to catch an exceeded budget.
-- exit: 5
-- args: --max-seconds=1
-- error@+1:1: the spec is still running after 5000000 instructions; if it is meant to, raise --max-seconds
while true do pcall(function() while true do end end) end
