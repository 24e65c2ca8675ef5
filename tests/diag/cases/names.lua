-- Names that cannot be symbols, or occur twice.
return {
  -- error@+1:18: kernel name 'int' is a keyword of C; 'int_' would do
  split { name = "int", dtype = "f32", shape = { 4 }, parts = 2 },
  -- error@+1:18: kernel name '2nd' starts with a digit; 'x2nd' would do
  split { name = "2nd", dtype = "f32", shape = { 4 }, parts = 2 },
  -- error@+1:18: kernel name 'a-b' holds a character other than letters, digits and '_'; 'a_b' would do
  split { name = "a-b", dtype = "f32", shape = { 4 }, parts = 2 },
  -- error@+1:18: kernel name '' is empty; 'x' would do
  split { name = "", dtype = "f32", shape = { 4 }, parts = 2 },
  -- error@+1:18: kernel name '_x' starts with '_', which is reserved; 'x' would do
  split { name = "_x", dtype = "f32", shape = { 4 }, parts = 2 },
  -- error@+1:18: kernel name 'memcpy' is a name of the C library; 'memcpy_' would do
  split { name = "memcpy", dtype = "f32", shape = { 4 }, parts = 2 },
  -- error@+1:18: kernel name 'splitgen_run' starts with 'splitgen', which is reserved for the runtime; 'x_splitgen_run' would do
  split { name = "splitgen_run", dtype = "f32", shape = { 4 }, parts = 2 },
}
