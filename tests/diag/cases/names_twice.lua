-- Kernels and outputs of the same name.
return {
  -- note@+2:18: the first is here
  -- note@+1:18: that kernel is here
  split { name = "cut", dtype = "f32", shape = { 4 }, parts = 2 },
  -- error@+1:18: kernel name 'cut' is used twice
  split { name = "cut", dtype = "f32", shape = { 8 }, parts = 2 },
  -- error@+1:18: kernel name 'cut_kernel' is also the descriptor of kernel 'cut'
  split { name = "cut_kernel", dtype = "f32", shape = { 8 }, parts = 2 },
}
