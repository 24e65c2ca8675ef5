-- 33 outputs are one more than a parameter list takes; 32 still fit.
return {
  split { name = "many_33", dtype = "u16", shape = { 2, 33 }, axis = 1, parts = 33 },
  split { name = "many_32", dtype = "u16", shape = { 2, 32 }, axis = 1, parts = 32 },
}
