-- A pattern that takes exponential time.
-- exit: 5
-- args: --spec-steps=100000
-- error@+1:1: the spec is still running after 100000 instructions; if it is meant to, raise --spec-steps
local found = ("a"):rep(50):find(("a*"):rep(25) .. "b")
