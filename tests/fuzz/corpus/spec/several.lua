local ops = {}
for i = 1, 3 do ops[i] = split { name = "s" .. i, dtype = "u8", shape = { 4, 3 * i }, axis = 1, parts = 3 } end
ops[#ops + 1] = split "t: f16[6] -> a:2 b:*"
return ops
