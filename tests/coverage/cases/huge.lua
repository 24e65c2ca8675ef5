-- A tensor whose sizes are counted in other units where it is drawn; nobody has the memory to run it.
-- emit: svg,json
-- options:
return split { name = "huge", dtype = "u8", shape = { 2, 1 << 45 }, axis = 1, lengths = { 1 << 44, 1 << 44 } }
