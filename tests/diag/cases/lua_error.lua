-- An error the spec raises itself, at the place of the call.
local function check(n)
  if n > 2 then
    error("at most 2 parts, not " .. n, 2)
  end
  return n
end

return split {
  dtype = "f32",
  -- error@+1:3: at most 2 parts, not 3
  parts = check(3),
  shape = { 4 },
}
