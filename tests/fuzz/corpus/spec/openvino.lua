return {
  openvino.Split { name = "a", data = { dtype = "f16", shape = { 2, 6 } }, axis = 1, num_splits = 3 },
  openvino.VariadicSplit { name = "b", data = { dtype = "bool", shape = { 8 } }, axis = { 0 }, split_lengths = { 2, -1 } },
}
