-- Element types and how packed ones may be stored.
return {
  -- error@+1:3: 'dtype' is missing: name the element type, as in "f32"
  split { shape = { 2 }, parts = 2 },
  -- error@+1:50: unknown packing 'lbs'; did you mean 'lsb'?
  split { dtype = "u4", shape = { 2 }, packing = "lbs", parts = 2 },
  -- error@+1:50: 'packing' is 'planes', but dtype 'u4' is stored as 'lsb' or 'msb' only
  split { dtype = "u4", shape = { 2 }, packing = "planes", parts = 2 },
  -- error@+1:50: 'packing' is 'msb', but dtype 'u3' is stored as 'lsb' or 'planes' only
  split { dtype = "u3", shape = { 2 }, packing = "msb", parts = 2 },
  -- error@+1:70: 'packing' is 'msb', but OpenVINO's 'i4' is stored as 'lsb' only
  openvino.Split { data = { dtype = "i4", shape = { 2 } }, packing = "msb", axis = 0, num_splits = 2 },
  -- error@+1:54: packing 'planes' keeps 4 elements of 'u6' in 3 bytes, but 'b' begins at element 3 of a row, within such a group; store it as 'lsb'
  split { dtype = "u6", shape = { 10, 3 }, packing = "planes", lengths = { 1, 9 }, outputs = { false, "b" } },
  -- error@+1:54: packing 'planes' keeps 4 elements of 'u6' in 3 bytes, but from one row of the whole to the next there are 10, so that begins within such a group; store it as 'lsb'
  split { dtype = "u6", shape = { 2, 10 }, packing = "planes", axis = 1, lengths = { 4, 6 }, outputs = { "a", false } },
}
