-- Split and VariadicSplit as OpenVINO defines them.
local data = { dtype = "f32", shape = { 6, 12, 10, 24 } }

return {
  openvino.Split { name = "ov_split", data = data, axis = 1, num_splits = 3 },
  openvino.VariadicSplit { name = "ov_lengths", data = data, axis = 0, split_lengths = { 1, 2, 3 } },
  openvino.VariadicSplit { name = "ov_rest", data = data, axis = { 0 }, split_lengths = { -1, 2 } },
}
