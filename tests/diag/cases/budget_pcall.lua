-- A spec that tries to catch an exceeded budget.
-- exit: 5
-- args: --spec-steps=100000
-- error@+1:1: the spec is still running after 100000 instructions; if it is meant to, raise --spec-steps
while true do pcall(function() while true do end end) end
