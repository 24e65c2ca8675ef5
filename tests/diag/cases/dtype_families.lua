-- Ambiguous names of types.
return {
  -- error@+1:19: unknown dtype 'fp8'; write the kind that is meant: 'f8e4m3', 'f8e4m3fnuz', 'f8e5m2', 'f8e5m2fnuz', 'f8e8m0', 'f8e3m4', 'f8e4m3ieee' or 'f8e4m3b11fnuz'
  split { dtype = "fp8", shape = { 4 }, parts = 2 },
  -- error@+1:19: unknown dtype 'float8'; write the kind that is meant: 'f8e4m3', 'f8e4m3fnuz', 'f8e5m2', 'f8e5m2fnuz', 'f8e8m0', 'f8e3m4', 'f8e4m3ieee' or 'f8e4m3b11fnuz'
  split { dtype = "float8", shape = { 4 }, parts = 2 },
  -- error@+1:19: unknown dtype 'FP8'; write the kind that is meant: 'f8e4m3', 'f8e4m3fnuz', 'f8e5m2', 'f8e5m2fnuz', 'f8e8m0', 'f8e3m4', 'f8e4m3ieee' or 'f8e4m3b11fnuz'
  split { dtype = "FP8", shape = { 4 }, parts = 2 },
  -- error@+1:19: unknown dtype 'e4m3'; write the kind that is meant: 'f8e4m3', 'f8e4m3fnuz', 'f8e4m3ieee' or 'f8e4m3b11fnuz'
  split { dtype = "e4m3", shape = { 4 }, parts = 2 },
  -- error@+1:19: unknown dtype 'e5m2'; write the kind that is meant: 'f8e5m2' or 'f8e5m2fnuz'
  split { dtype = "e5m2", shape = { 4 }, parts = 2 },
  -- error@+1:19: unknown dtype 'fp6'; write the kind that is meant: 'f6e2m3' or 'f6e3m2'
  split { dtype = "fp6", shape = { 4 }, parts = 2 },
  -- error@+1:19: unknown dtype 'fp4'; did you mean 'f4e2m1'?
  split { dtype = "fp4", shape = { 4 }, parts = 2 },
  -- error@+1:19: unknown dtype 'bfloat'; did you mean 'bf16'?
  split { dtype = "bfloat", shape = { 4 }, parts = 2 },
  -- error@+1:19: unknown dtype 'tf32'; TF32 is a way to calculate, and elements lie in memory as 'f32'
  split { dtype = "tf32", shape = { 4 }, parts = 2 },
}
