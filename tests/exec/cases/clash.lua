-- Used twice in one program, with two prefixes and two meanings.
if param("swap", 0) == 1 then
  return split { name = "halves", dtype = "i32", shape = { 3, 4 }, axis = 1, lengths = { 3, 1 } }
end
return split { name = "halves", dtype = "i32", shape = { 3, 4 }, axis = 1, lengths = { 1, 3 } }
