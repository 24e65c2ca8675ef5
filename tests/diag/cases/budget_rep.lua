-- A string beyond the budget.
-- exit: 5
-- args: --max-memory=4
-- error@+1:1: the spec needs more than 4 MiB of memory; if it is meant to, raise --max-memory
local text = ("x"):rep(1 << 30)
