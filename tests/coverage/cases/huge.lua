-- A tensor whose sizes the picture shows in larger units, and whose rows no compiler evaluates; too large to run.
-- emit: svg,json,proof-cpp
-- options:
return {
  split { name = "huge", dtype = "u8", shape = { 2, 1 << 45 }, axis = 1, lengths = { 1 << 44, 1 << 44 } },
  split { name = "vast", dtype = "u8", shape = { 1 << 62 }, parts = 2 }, -- whose sum has no number
  split { name = "vaster", dtype = "u8", shape = { 1 << 62 }, parts = 2 },
}
