-- Names of types that are ambiguous, or near to the name of another.
return {
  -- error@+1:19: unknown dtype 'fp8'; write which one: 'f8e4m3' or 'f8e5m2', or another of 'splitgen --help=types'
  split { dtype = "fp8", shape = { 4 }, parts = 2 },
  -- error@+1:19: unknown dtype 'FLOAT8'; write which one: 'f8e4m3' or 'f8e5m2', or another of 'splitgen --help=types'
  split { dtype = "FLOAT8", shape = { 4 }, parts = 2 },
  -- error@+1:19: unknown dtype 'fp4'; did you mean 'f4e2m1'?
  split { dtype = "fp4", shape = { 4 }, parts = 2 },
  -- error@+1:19: unknown dtype 'bfloat'; did you mean 'bf16'?
  split { dtype = "bfloat", shape = { 4 }, parts = 2 },
  -- error@+1:19: unknown dtype 'e4m3'; 'splitgen --help=types' lists them all
  split { dtype = "e4m3", shape = { 4 }, parts = 2 },
}
