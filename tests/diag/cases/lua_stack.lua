-- A recursion without end.
local function down(n)
  -- error@+1:3: stack overflow
  return 1 + down(n + 1)
end
return split { dtype = "f32", shape = { down(0) }, parts = 2 }
