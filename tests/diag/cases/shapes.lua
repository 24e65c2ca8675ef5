-- Invalid shapes and axes.
return {
  -- error@+1:34: the shape has rank 0: a scalar has no axis to split
  split { dtype = "f32", shape = {}, parts = 1 },
  -- error@+1:39: dimension 1 is -1: every dimension must be known when the kernel is generated, or be open, which is written free("n")
  split { dtype = "f32", shape = { 2, -1 }, parts = 2 },
  -- error@+1:39: dimension 1 is -3: it must be 0 or more
  split { dtype = "f32", shape = { 2, -3 }, parts = 2 },
  -- error@+2:51: axis 2 is out of range: a shape of 2 dimensions has axes -2 to 1
  -- note@+1:34: the shape is given here
  split { dtype = "f32", shape = { 2, 6 }, axis = 2, parts = 2 },
  -- error@+2:51: axis -3 is out of range: a shape of 2 dimensions has axes -2 to 1
  -- note@+1:34: the shape is given here
  split { dtype = "f32", shape = { 2, 6 }, axis = -3, parts = 2 },
  -- error@+1:53: 'axis' must be an integer, not a list; write axis = 1
  split { dtype = "f32", shape = { 2, 6 }, axis = { 1 }, parts = 2 },
  -- error@+1:34: the product 4294967296 x 4294967296 is beyond 2^63 - 1 elements
  split { dtype = "f32", shape = { 1 << 32, 1 << 32 }, parts = 2 },
  -- error@+1:34: 1073741824 x 2147483648 elements of 8 bytes are beyond 2^63 - 1 bytes
  split { dtype = "f64", shape = { 1 << 30, 1 << 31 }, parts = 2 },
  -- error@+1:33: the shape has 65 dimensions, but may have 64
  split { dtype = "u8", shape = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 }, lengths = { 1 } },
  -- error@+1:33: the product 1099511627776 x 0 x 1099511627776 is beyond 2^63 - 1 elements (an empty dimension counts as 1, as in strides)
  split { dtype = "u8", shape = { 1099511627776, 0, 1099511627776 }, axis = 1, parts = 2 },
  -- error@+3:3: 'dtype' is missing: name the element type, as in "f32"
  -- error@+2:3: 'shape' is missing
  -- error@+1:3: give 'lengths' or 'parts': neither is there
  split {},
}
