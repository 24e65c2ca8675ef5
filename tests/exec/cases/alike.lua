-- Pairs of ops. In some pairs the second op may share the code of the first, with another shape, type or names; other
-- pairs only look similar.
local ops = {}

local function pair(name, first, second)
  first.name, second.name = name, name .. "_again"
  ops[#ops + 1] = split(first)
  ops[#ops + 1] = split(second)
end

local many, sum = {}, 0
for i = 1, 40 do
  many[i] = i % 3 + 1
  sum = sum + many[i]
end

pair("small", { dtype = "f32", shape = { 1, 8 }, axis = 1, parts = 2 }, { dtype = "f32", shape = { 8 }, parts = 2 })
pair("qkv", { dtype = "f32", shape = { 64, 300 }, axis = 1, parts = 3 },
     { dtype = "i32", shape = { 8, 8, 300 }, axis = 2, parts = 3, outputs = { "qkv", "qkv_all", "v" } })
pair("assigned", { dtype = "i32", shape = { 2, 3 }, axis = 1, lengths = { 1, 2 } },
     { dtype = "f32", shape = { 2, 3 }, axis = 1, lengths = { 1, 2 } })
pair("copied", { dtype = "f32", shape = { 2, 4 }, axis = 1, lengths = { 1, 3 } },
     { dtype = "i32", shape = { 2, 4 }, axis = 1, lengths = { 1, 3 } })
pair("array", { dtype = "u8", shape = { 500, sum }, axis = 1, lengths = many },
     { dtype = "i8", shape = { 5, 100, sum }, axis = 2, lengths = many })
pair("bits", { dtype = "u4", shape = { 33, 7 }, axis = 1, lengths = { 3, 4 } },
     { dtype = "i4", shape = { 33, 7 }, axis = 1, lengths = { 3, 4 } })
pair("strings", { dtype = "string", shape = { 9, 5 }, axis = 1, lengths = { 2, 3 } },
     { dtype = "string", shape = { 9, 5 }, axis = 1, lengths = { 2, 3 } })
pair("pointers", { dtype = "string", shape = { 9, 5 }, axis = 1, lengths = { 2, 3 } },
     { dtype = "f64", shape = { 9, 5 }, axis = 1, lengths = { 2, 3 } })
pair("wide", { dtype = "f64", shape = { 99, 50 }, axis = 1, lengths = { 20, 30 } },
     { dtype = "c64", shape = { 99, 50 }, axis = 1, lengths = { 20, 30 } })
pair("blocks", { dtype = "f32", shape = { 4, 4096 }, parts = 4 }, { dtype = "f32", shape = { 4, 64, 64 }, parts = 4 })
pair("unwanted", { dtype = "f16", shape = { 30, 64 }, axis = 1, lengths = { 16, 16, 32 }, outputs = { "a", false, "c" } },
     { dtype = "bf16", shape = { 30, 64 }, axis = 1, lengths = { 16, 16, 32 }, outputs = { "x", false, "z" } })
pair("other", { dtype = "f16", shape = { 30, 64 }, axis = 1, lengths = { 16, 16, 32 }, outputs = { "a", "b", false } },
     { dtype = "f16", shape = { 30, 64 }, axis = 1, lengths = { 16, 16, 32 }, outputs = { false, "b", "c" } })
pair("none", { dtype = "f16", shape = { 30, 64 }, axis = 1, lengths = { 16, 0, 48 } },
     { dtype = "f16", shape = { 30, 64 }, axis = 1, lengths = { 0, 16, 48 } })
pair("nothing", { dtype = "f16", shape = { 0, 64 }, axis = 1, parts = 2 }, { dtype = "f16", shape = { 0, 64 }, axis = 1, parts = 2 })
return ops
