-- Strides of dimensions before the axis: which are allowed, and the meaning of a row stride there.
return {
  -- error@+1:23: the stride of dimension 1 of the whole is 4096, but must be 1: from axis 1 on, elements are contiguous
  split "f32[197,2304/4096] @1 -> /3",
  -- error@+1:18: the stride of dimension 0 of the whole is 5759, but must be at least 5760, as the 1920 of dimension 1 begin every 3 elements: the next would begin within them
  split "u8[1080/5759,1920,3] @2 -> /3",
  -- error@+1:77: 2 strides are written for the whole, but it has 3 dimensions: write one for each, as in NumPy, in elements
  split { dtype = "u8", shape = { 4, 5, 3 }, axis = 2, parts = 3, strides = { 16, 3 } },
  -- error@+1:86: the stride of dimension 2 of the whole is 2, but must be 1: from axis 2 on, elements are contiguous
  split { dtype = "u8", shape = { 4, 5, 3 }, axis = 2, parts = 3, strides = { 32, 6, 2 } },
  -- error@+1:15: the stride of dimension 0 of the whole is 800, but 'h' after it is open, so the stride depends on the call; give it a number, or leave the stride out
  split "u8[4/800,h?,3] @2 -> /3",
  -- warning@+2:20: a row stride of 16 is the distance between indices of dimension 1, but all 5 of these have only 15 elements
  -- note@+1:20: if dimension 0 begins every 16 elements, write the stride after it: '4/16'
  split "u8[4,5,3]/16 @2 -> /3",
}
