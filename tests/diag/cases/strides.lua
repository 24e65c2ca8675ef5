-- Row strides: how they are written, and how small they may be.
return {
  -- error@+1:80: 'row_stride' must be a number here, not the open dimension 'ld': rows whose stride each call says are not made; write one op for each stride
  concat { dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 3, row_stride = free("ld") },
  -- error@+1:79: 'row_stride' must be an integer, not the string '16'; write row_stride = 16
  split { dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 3, row_stride = "16" },
  -- error@+1:93: 'row_stride' must be a number here, not the open dimension 'ld': rows whose stride each call says are not made; write one op for each stride
  split { dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 1, outputs = { { row_stride = free("ld") } } },
  -- error@+1:80: unknown field 'stride' in entry 1 of 'outputs'; its fields are name, view, row_stride, strides
  split { dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 1, outputs = { { stride = 16 } } },
  -- error@+1:66: unknown field 'stride' in split; it is 'row_stride' here: row_stride = 16
  split { dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 1, stride = 16 },
  -- error@+1:67: unknown field 'ld' in concat; BLAS' 'ld' is 'row_stride' here: row_stride = 16
  concat { dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 1, ld = 16 },
  -- error@+1:22: the stride of dimension 1 of the whole is 4096, but must be 1: from the axis on, which is 1, elements lie dense
  split "f32[197,2304/4096] @1 -> /3",
  -- error@+1:19: the stride of dimension 0 of the whole is 5759, but must be at least 5760, as the 1920 of dimension 1 begin every 3 elements: the next would begin within them
  split "u8[1080/5759,1920,3] @2 -> /3",
  -- error@+1:70: 2 strides are written for the whole, but it has 3 dimensions: write one for each, as in NumPy, in elements
  split { dtype = "u8", shape = { 4, 5, 3 }, axis = 2, parts = 3, strides = { 16, 3 } },
  -- error@+1:81: the stride of dimension 2 of the whole is 2, but must be 1: from the axis on, which is 2, elements lie dense
  split { dtype = "u8", shape = { 4, 5, 3 }, axis = 2, parts = 3, strides = { 32, 6, 2 } },
  -- error@+1:16: the stride of dimension 0 of the whole is 800, but 'h' behind it is open, so what lies between two is as many elements as each call says; give it a number, or leave the stride out
  split "u8[4/800,h?,3] @2 -> /3",
  -- note@nowhere: if dimension 0 begins every 16 elements, the stride stands behind it: '4/16'
  -- warning@+1:20: a row stride of 16 is that from each index of dimension 1 to the next, 5 of which have 15 elements in all
  split "u8[4,5,3]/16 @2 -> /3",
}
