-- The fused projection of an attention head, split into query, key and value. The first kernel takes all tokens of a
-- prompt (several rows: copies), the second a single token (one row: views, no copy). The number of tokens of a prompt
-- is passed at run time; about 1024 are expected.

local function qkv(name, rows)
  return split {
    name    = name,
    dtype   = "f32",
    shape   = { rows, 408 },
    axis    = -1,
    lengths = { 192, 192, -1 },
    outputs = { "q", "k", "v" },
  }
end

return { qkv("qkv_prefill", free("tokens", 1024)), qkv("qkv_decode", 1) }
