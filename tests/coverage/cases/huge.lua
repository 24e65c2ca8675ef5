-- A tensor whose sizes are counted in other units where it is drawn, and whose rows no compiler evaluates; nobody has the memory to run it.
-- emit: svg,json,vectors
-- options:
return {
  split { name = "huge", dtype = "u8", shape = { 2, 1 << 45 }, axis = 1, lengths = { 1 << 44, 1 << 44 } },
  split { name = "vast", dtype = "u8", shape = { 1 << 62 }, parts = 2 }, -- whose sum has no number
  split { name = "vaster", dtype = "u8", shape = { 1 << 62 }, parts = 2 },
}
