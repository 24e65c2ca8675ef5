-- Row strides: how they are written, and their minimum.
return {
  -- error@+1:80: 'row_stride' must be a number here, not the open dimension 'ld': a stride cannot be passed on each call; write one op for each stride
  concat { dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 3, row_stride = free("ld") },
  -- error@+1:79: 'row_stride' must be an integer, not the string '16'; write row_stride = 16
  split { dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 3, row_stride = "16" },
  -- error@+1:93: 'row_stride' must be a number here, not the open dimension 'ld': a stride cannot be passed on each call; write one op for each stride
  split { dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 1, outputs = { { row_stride = free("ld") } } },
  -- error@+1:80: unknown field 'stride' in entry 1 of 'outputs'; did you mean 'row_stride' or 'strides'?
  split { dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 1, outputs = { { stride = 16 } } },
  -- error@+1:66: unknown field 'stride' in split; did you mean 'row_stride' or 'strides'?
  split { dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 1, stride = 16 },
  -- error@+1:67: unknown field 'ld' in concat; its fields are name, dtype, shape, axis, lengths, parts, inputs, align, packing, row_stride, strides
  concat { dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 1, ld = 16 },
}
