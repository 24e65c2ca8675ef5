-- Lists in the list, and other entries that are not ops.
local op = split { dtype = "f32", shape = { 4 }, parts = 2 }
return {
  op,
  -- error@+1:3: entry 2 of the returned list is a list itself; a spec returns one flat list of ops
  { op },
  -- error@+1:3: entry 3 of the returned list is a table, not an op; write split { ... }
  { dtype = "f32" },
  -- error@+1:3: entry 4 of the returned list is the string 'f32[4] -> /2', not an op; a notation is written split "..."
  "f32[4] -> /2",
  -- error@+1:3: entry 5 of the returned list is a function, not an op; call it
  split,
  -- error@+1:3: entry 6 of the returned list is 17, not an op
  17,
  -- error@+1:3: entry 7 of the returned list is false, not an op
  false,
}
