-- Rules of the ONNX operator.
local data = { dtype = "float", shape = { 6 } }
return {
  -- error@+1:3: Split-18 (opset 18) needs 'split' or 'num_outputs': neither is there
  onnx.Split { opset = 18, data = data },
  -- error@+2:73: give 'split' or 'num_outputs', not both
  -- note@+1:49: 'split' is given here
  onnx.Split { opset = 18, data = data, split = { 3, 3 }, num_outputs = 2 },
  -- error@+1:55: 'num_outputs' came with Split-18, but opset 13 has Split-13: it makes as many equal parts as there are outputs
  onnx.Split { opset = 13, data = data, num_outputs = 2 },
  -- error@+1:3: give 'split' or 'outputs': without 'split', Split-13 makes as many equal parts as there are outputs
  onnx.Split { opset = 13, data = data },
  -- error@+2:51: cannot split axis 0 (length 6) into 4 equal parts; give 'split' for unequal parts
  -- note@+1:35: the shape is given here
  onnx.Split { opset = 13, data = data, outputs = 4 },
  -- error@+1:54: length 2 is -1: ONNX lengths are 0 or more
  onnx.Split { opset = 18, data = data, split = { 7, -1 } },
  -- error@+1:55: 'num_outputs' must be at least 1, but is 0
  onnx.Split { opset = 18, data = data, num_outputs = 0 },
  -- error@+2:69: 3 outputs are given, but 'split' has 2 lengths
  -- note@+1:49: the lengths are given here
  onnx.Split { opset = 18, data = data, split = { 3, 3 }, outputs = 3 },
  -- error@+1:24: 'opset' must be at least 1, but is 0
  onnx.Split { opset = 0, data = data, split = { 3, 3 } },
  -- error@+1:3: 'axis' is missing: Split-1 (opset 1) has no default axis
  onnx.Split { opset = 1, data = data, split = { 3, 3 } },
  -- error@+1:50: 'axis' must be an integer, not a list; write axis = 0
  onnx.Split { opset = 18, data = data, axis = { 0 }, num_outputs = 2 },
  -- Everything wrong at once: nothing hides another error.
  -- error@+9:23: kernel name 'int' is a keyword of C; 'int_' would do
  -- error@+8:59: no version of ONNX Split takes dtype 'u4'
  -- error@+7:94: 'align' must be a power of two, but is 3
  -- error@+6:78: dimension 1 is -2: it must be 0 or more
  -- error@+5:140: 'num_outputs' came with Split-18, but opset 17 has Split-13: it makes as many equal parts as there are outputs
  -- error@+4:120: length 2 is -4: ONNX lengths are 0 or more
  -- error@+3:153: 3 outputs are given, but 'split' has 2 lengths
  -- note@+2:115: the lengths are given here
  -- error@+1:153: no output is wanted: there is nothing to generate
  onnx.Split { name = "int", opset = 17, data = { dtype = "u4", shape = { 4, -2 } }, align = 3, axis = 0, split = { 1, -4 }, num_outputs = 2, outputs = { false, false, false } },
}
