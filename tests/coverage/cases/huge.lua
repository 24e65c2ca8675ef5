-- A tensor whose sizes are counted in other units where it is drawn, and whose rows no compiler evaluates; nobody has the memory to run it.
-- emit: svg,json,vectors
-- options:
return split { name = "huge", dtype = "u8", shape = { 2, 1 << 45 }, axis = 1, lengths = { 1 << 44, 1 << 44 } }
