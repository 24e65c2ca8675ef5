-- Values in the form of other libraries.
return {
  -- error@+1:36: entry 1 of 'shape' is 'None', which is not defined; a length that is passed on each call is free("n"), and a field without a value is left out
  split { dtype = "f32", shape = { None, 12 }, axis = 1, parts = 3 },
  -- error@+1:36: entry 1 of 'shape' is 'null', which is not defined; a length that is passed on each call is free("n"), and a field without a value is left out
  split { dtype = "f32", shape = { null, 12 }, axis = 1, parts = 3 },
  -- error@+1:36: entry 1 of 'shape' is 'batch', which is not defined; write param("batch") for a dimension that -D batch=... sets, free("batch") for one that is passed on each call
  split { dtype = "f32", shape = { batch, 12 }, axis = 1, parts = 3 },
  -- error@+1:36: entry 1 of 'shape' must be an integer, not the string 'batch'; write param("batch") for a dimension that -D batch=... sets, free("batch") for one that is passed on each call
  split { dtype = "f32", shape = { "batch", 12 }, axis = 1, parts = 3 },
  -- error@+1:36: entry 1 of 'shape' must be an integer, not the string '?'; write param("n") for a dimension that -D n=... sets, free("n") for one that is passed on each call
  split { dtype = "f32", shape = { "?", 12 }, axis = 1, parts = 3 },
  -- error@+1:36: 'shape' has a hole: entry 1 is nil; write param("n") for a dimension that -D n=... sets, free("n") for one that is passed on each call
  split { dtype = "f32", shape = { nil, 12 }, axis = 1, parts = 3 },
  -- error@+1:36: entry 1 of 'shape' must be an integer, not the string '4'; write 4
  split { dtype = "f32", shape = { "4" }, parts = 2 },
  -- error@+1:52: 'axis' must be an integer, not the string '1'; write axis = 1
  split { dtype = "f32", shape = { 2, 12 }, axis = "1", parts = 3 },
  -- error@+1:52: 'lengths' must be a list of integers, not 4; the number of equal parts is 'parts'
  split { dtype = "f32", shape = { 12 }, lengths = 4 },
  -- error@+1:50: 'parts' must be an integer, not a table; the lengths are 'lengths'
  split { dtype = "f32", shape = { 12 }, parts = { 4, 8 } },
  -- error@+1:52: 'lengths' must be a list of integers, not the string '4, 8'; write lengths = { 4, 8 }
  split { dtype = "f32", shape = { 12 }, lengths = "4, 8" },
  -- error@+1:34: 'shape' must be a list of integers, not 12; write shape = { 12 }
  split { dtype = "f32", shape = 12, parts = 3 },
  -- error@+1:34: 'shape' must be a list of integers, not the string '[2, 12]'; write shape = { 2, 12 }
  split { dtype = "f32", shape = "[2, 12]", axis = 1, parts = 3 },
  -- error@+1:63: 'outputs' must be a list of names or a number, not the string 'a'; write outputs = { "a" }
  split { dtype = "f32", shape = { 4 }, parts = 1, outputs =  "a" },
  -- error@+1:58: entry 2 of 'lengths' is 'None', which is not defined; a length that is passed on each call is free("n"), and a field without a value is left out
  split { dtype = "f32", shape = { 8 }, lengths = { 4,   None } },
  -- error@+1:92: entry 2 of 'outputs' is 'False', which is not defined; it is written false
  split { dtype = "f32", shape = { 2, 12 }, axis = 1, lengths = { 4, 8 }, outputs = { "a", False } },
  -- error@+1:80: 'split' must be a list of integers, not 6; the number of equal parts is 'num_outputs'
  onnx.Split { opset = 18, data = { dtype = "float", shape = { 12 } }, split = 6 },
}
