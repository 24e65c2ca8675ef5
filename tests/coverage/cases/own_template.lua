-- Functions that only user templates call.
-- emit: svg
-- options: --template-dir templates
return split { name = "own", dtype = "u8", shape = { 4 }, lengths = { 1, 3 } }
