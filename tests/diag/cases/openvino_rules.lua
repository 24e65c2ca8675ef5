-- Rules of the OpenVINO operators.
local data = { dtype = "f32", shape = { 6 } }
return {
  -- error@+2:56: cannot split axis 0 (length 6) into 4 equal parts; unequal parts need openvino.VariadicSplit
  -- note@+1:27: the shape is given here
  openvino.Split { data = data, axis = 0, num_splits = 4 },
  -- error@+1:56: 'num_splits' must be at least 1, but is 0
  openvino.Split { data = data, axis = 0, num_splits = 0 },
  -- error@+2:40: axis 1 is out of range: a shape of 1 dimension has axes -1 to 0
  -- note@+1:27: the shape is given here
  openvino.Split { data = data, axis = 1, num_splits = 2 },
  -- error@+1:42: 'axis' must be an integer, not a list; write axis = 0
  openvino.Split { data = data, axis = { 0 }, num_splits = 2 },
  -- error@+1:48: 'axis' must be an integer or a list of one, but has 2 entries
  openvino.VariadicSplit { data = data, axis = { 0, 0 }, split_lengths = { 3, 3 } },
  -- error@+2:67: lengths exceed the axis: they sum to 7 before what remains, but axis 0 has 6
  -- note@+1:35: the shape is given here
  openvino.VariadicSplit { data = data, axis = 0, split_lengths = { 7, -1 } },
  -- error@+2:73: only one length may be -1 (what remains), but lengths 1 and 2 are
  -- note@+1:69: the first is here
  openvino.VariadicSplit { data = data, axis = 0, split_lengths = { -1, -1 } },
  -- error@+1:72: length 2 is -2: a length is 0 or more, or -1 for what remains
  openvino.VariadicSplit { data = data, axis = 0, split_lengths = { 8, -2 } },
  -- error@+2:67: lengths sum to 7, but axis 0 has 6
  -- note@+1:35: the shape is given here
  openvino.VariadicSplit { data = data, axis = 0, split_lengths = { 3, 4 } },
  -- error@+2:97: 1 output is given, but 'num_splits' is 2
  -- note@+1:84: 'num_splits' is given here
  openvino.Split { data = { dtype = "f32", shape = { 6 } }, axis = 0, num_splits = 2, outputs = { "a" } },
  -- error@+1:3: 'axis' is missing: it is an input of openvino.VariadicSplit and has no default
  openvino.VariadicSplit { data = { dtype = "f32", shape = { 6 } }, split_lengths = { 6 } },
}
