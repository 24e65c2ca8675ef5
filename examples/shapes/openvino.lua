-- Split, VariadicSplit and Concat as OpenVINO defines them.
local data = { dtype = "f32", shape = { 6, 12, 10, 24 } }

return {
  openvino.Split { name = "ov_split", data = data, axis = 1, num_splits = 3 },
  openvino.VariadicSplit { name = "ov_lengths", data = data, axis = 0, split_lengths = { 1, 2, 3 } },
  openvino.VariadicSplit { name = "ov_rest", data = data, axis = { 0 }, split_lengths = { -1, 2 } },
  openvino.Concat { name = "ov_join", axis = 0,
                    inputs = { { dtype = "f32", shape = { 1, 12, 10, 24 } },
                               { dtype = "f32", shape = { 5, 12, 10, 24 } } } },
}
