-- A finalizer would run beyond the budget.
-- error@+1:1: '__gc' is not available in a spec
setmetatable({}, { __gc = function() end })
