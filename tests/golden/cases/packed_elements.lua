-- Elements below a byte: in groups of rows with every shift a constant, as whole bytes where they are
-- some, and in long runs from the other end of the byte.
-- golden: bench py
-- digest: c h json svg
-- dump: plan
return {
  split { name = "drift", dtype = "u4", shape = { 700, 3 }, axis = 1, lengths = { 1, 2 } },
  split { name = "bytes", dtype = "nf4", shape = { 2, 6 }, axis = 1, lengths = { 2, 4 } },
  split { name = "mask", dtype = "u1", shape = { 3, 1023 }, axis = 1, lengths = { 3, 1020 },
          packing = "msb" },
}
