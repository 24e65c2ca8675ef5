-- The splits, or concats, that the benchmark measures; names and numbers are those of cases.py.
-- Measures nothing.
--
--   splitgen --list --only=llama3_qkv suite.lua
--   splitgen --only=llama3_qkv -D outer=16 suite.lua     another number of rows
--   splitgen --only=llama3_qkv -D free=1 suite.lua       the first dimension left free
--   splitgen --only=llama3_qkv -D joins=1 suite.lua      the parts concatenated instead
--
-- `outer` replaces the dimensions before the axis, so that a case can be made to fit a cache.

local outer = param("outer", 0)
local is_free = param("free", 0) == 1
local op = param("joins", 0) == 1 and concat or split
local ops = {}

local function case(name, dtype, shape, axis, lengths)
  local dims = { table.unpack(shape) }
  if outer > 0 then
    for i = 1, axis do
      dims[i] = i == 1 and outer or 1
    end
  end
  if is_free then
    dims[1] = free("batch", dims[1])
  end
  ops[#ops + 1] = op { name = name, dtype = dtype, shape = dims, axis = axis, lengths = lengths }
end

local function times(count, length, list)
  list = list or {}
  for _ = 1, count do
    list[#list + 1] = length
  end
  return list
end

-- Transformers.
case("gpt2_qkv_decode", "f32", { 1, 1, 2304 }, 2, times(3, 768))
case("gpt2_qkv_prefill", "f32", { 1, 1024, 2304 }, 2, times(3, 768))
case("vitb16_qkv_b8", "bf16", { 8, 197, 2304 }, 2, times(3, 768))
case("llama3_qkv", "f16", { 1, 2048, 6144 }, 2, { 4096, 1024, 1024 })
case("llama3_gate_up", "bf16", { 1, 512, 28672 }, 2, times(2, 14336))
case("phi3_gate_up_decode", "bf16", { 1, 1, 16384 }, 2, times(2, 8192))
case("qkv_bs3hd", "f16", { 2, 512, 3, 12, 64 }, 2, times(3, 1))
case("rope_halves_prefill", "f16", { 1, 32, 2048, 128 }, 3, times(2, 64))
case("rope_halves_decode", "f32", { 1, 32, 1, 128 }, 3, times(2, 64))
case("mla_q", "bf16", { 1, 512, 128, 192 }, 3, { 128, 64 })
case("mla_kv_a", "bf16", { 1, 512, 576 }, 2, { 512, 64 })
case("qwen_decode_4", "f16", { 1, 1, 13952 }, 2, { 12288, 512, 512, 640 })
case("qwen_tail", "f16", { 1, 128, 324 }, 2, { 320, 4 })

-- State-space and recurrent models.
case("mamba_in_proj", "f32", { 1, 1024, 3072 }, 2, times(2, 1536))
case("mamba_x_proj", "f32", { 1, 1024, 80 }, 2, { 48, 16, 16 })
case("mamba2_zxbcdt", "f32", { 1, 1024, 3352 }, 2, { 1536, 1792, 24 })
case("mamba2_xbc", "f32", { 1, 1024, 1792 }, 2, { 1536, 128, 128 })
case("lstm_gates", "f32", { 64, 1024 }, 1, times(4, 256))
case("lstm_gates_tiny", "f32", { 1, 128 }, 1, times(4, 32))
case("conformer_glu", "f16", { 8, 400, 1024 }, 2, times(2, 512))

-- Vision.
case("yolov5_head", "f32", { 1, 3, 80, 80, 85 }, 4, { 2, 2, 81 })
case("yolo_head_4", "f32", { 1, 3, 80, 80, 85 }, 4, { 2, 2, 1, 80 })
case("yolov8_head", "f32", { 1, 144, 8400 }, 1, { 64, 80 })
case("yolov8_c2f_b8", "f32", { 8, 32, 160, 160 }, 1, times(2, 16))
case("yolo_i8_nhwc", "i8", { 1, 20, 20, 255 }, 3, times(3, 85))
case("shufflenet_nhwc", "f32", { 1, 28, 28, 116 }, 3, times(2, 58))
case("rgb_1080p", "u8", { 1080, 1920, 3 }, 2, times(3, 1))
case("rgb_224", "u8", { 224, 224, 3 }, 2, times(3, 1))
case("rgba_512", "u8", { 512, 512, 4 }, 2, times(4, 1))
case("nv12_uv", "u8", { 540, 960, 2 }, 2, times(2, 1))

-- Audio, geometry, tables.
case("stft_reim", "f32", { 1, 257, 1000, 2 }, 3, times(2, 1))
case("pcm16", "i16", { 480000, 2 }, 1, times(2, 1))
case("boxes", "f32", { 8400, 4 }, 1, times(4, 1))
case("lidar", "f32", { 120000, 5 }, 1, { 3, 1, 1 })
local parts = times(8, 1)
parts[#parts + 1] = 10
times(3, 30, times(15, 1, parts))
times(1, 30, times(8, 1, parts))
times(1, 30, times(40, 1, parts))
times(1, 30, times(1, 1, parts))
case("ov_24288", "f32", { 256, 279, 81 }, 1, times(17, 1, parts))
case("dlrm", "f32", { 2048, 1664 }, 1, times(26, 64))
case("unstack", "f32", { 4096, 64 }, 1, times(64, 1))
case("fsdp_llama3", "bf16", { 4, 54528000 }, 1,
     { 4194304, 1048576, 1048576, 4194304, 14680064, 14680064, 14680064, 1024, 1024 })
case("int4_qkv_weight", "u4", { 4096, 12288 }, 1, times(3, 4096))
case("int4_qkv_bytes", "u8", { 4096, 6144 }, 1, times(3, 2048))
case("shape_tensor", "i64", { 4 }, 0, times(4, 1))

-- Adversarial.
case("adv_u8_7", "u8", { 100003, 7 }, 1, { 1, 2, 4 })
case("adv_u16_13", "u16", { 65537, 13 }, 1, { 5, 1, 7 })
case("adv_congruent_4", "f32", { 4096, 1024 }, 1, times(4, 256))
case("adv_congruent_16", "f32", { 4096, 1024 }, 1, times(16, 64))
case("adv_63_65", "i8", { 4096, 128 }, 1, { 63, 65 })
case("adv_odd_pointers", "i8", { 4096, 3072 }, 1, times(3, 1024))
case("adv_257_columns", "u8", { 4096, 257 }, 1, times(257, 1))
case("adv_zero_lengths", "f32", { 4096, 256 }, 1, { 256, 0, 0, 0, 0, 0 })
case("adv_one_part", "f32", { 1024, 1024 }, 1, { 1024 })
case("adv_one_byte", "u8", { 1 }, 0, { 1 })
case("adv_one_element", "f32", { 1, 1 }, 1, { 1 })
case("adv_c128", "c128", { 65536, 2 }, 1, times(2, 1))
case("adv_u4_drift", "u4", { 4097, 3 }, 1, { 1, 2 })
case("adv_u2", "u2", { 1000, 13 }, 1, { 5, 8 })
case("adv_u1", "u1", { 333, 65 }, 1, { 1, 64 })
case("adv_row_2g", "u8", { 1, 2147483712 }, 1, { 2147483648, 64 })
case("adv_500_columns", "u8", { 1000000, 500 }, 1, times(500, 1))
case("adv_1_1000000", "f32", { 16, 1000001 }, 1, { 1, 1000000 })

return ops
