-- A pattern that takes exponential time within one instruction.
-- exit: 5
-- args: --max-seconds=1
-- error@nowhere: this run needs more than 1 s of processor time; if it is meant to, raise --max-seconds
local found = ("a"):rep(50):find(("a*"):rep(25) .. "b")
