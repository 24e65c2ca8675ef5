-- Promises about pointers that cannot be kept.
return {
  -- error@+1:60: 'align' must be a power of two, but is 3
  split { dtype = "f32", shape = { 4 }, parts = 2, align = 3 },
  -- error@+1:60: 'align' must be a power of two, but is 0
  split { dtype = "f32", shape = { 4 }, parts = 2, align = 0 },
  -- error@+1:60: 'align' must be a power of two, but is -8
  split { dtype = "f32", shape = { 4 }, parts = 2, align = -8 },
  -- error@+1:60: 'align' is 4, but elements of 'f64' are aligned to 8 already
  split { dtype = "f64", shape = { 4 }, parts = 2, align = 4 },
  -- error@+1:60: 'align' is 1099511627776, but may be 4096 at most
  split { dtype = "f32", shape = { 4 }, parts = 2, align = 1 << 40 },
}
