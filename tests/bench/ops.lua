-- The ten splits that are measured; peers.h lists the same numbers for the peers.
return {
  split { name = "gpt2_qkv_decode", dtype = "f32", shape = { 1, 1, 2304 }, axis = 2, parts = 3 },
  split { name = "gpt2_qkv_prefill", dtype = "f32", shape = { 1, 128, 2304 }, axis = 2, parts = 3 },
  split { name = "rope_halves", dtype = "f16", shape = { 32, 64, 128 }, axis = 2, parts = 2 },
  split { name = "yolo_head", dtype = "f32", shape = { 1, 3, 20, 20, 85 }, axis = 4,
          lengths = { 2, 2, 1, 80 } },
  split { name = "lidar", dtype = "f32", shape = { 4096, 5 }, axis = 1, lengths = { 3, 1, 1 } },
  split { name = "rgb", dtype = "u8", shape = { 224, 224, 3 }, axis = 2, parts = 3 },
  split { name = "boxes", dtype = "f32", shape = { 8400, 4 }, axis = 1, parts = 4 },
  split { name = "lstm_gates", dtype = "f32", shape = { 64, 1024 }, axis = 1, parts = 4 },
  split { name = "u16_uneven", dtype = "u16", shape = { 4096, 13 }, axis = 1,
          lengths = { 5, 1, 7 } },
  split { name = "shape_tensor", dtype = "i64", shape = { 4 }, axis = 0, parts = 4 },
}
