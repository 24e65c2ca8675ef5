-- A pattern that takes exponential time within one instruction.
local found = ("a"):rep(50):find(("a*"):rep(25) .. "b")
