-- The fused projection of an attention head, cut into query, key and value: once for all tokens of a
-- prompt (rows apart in memory: copies), once for a single token (all in one row: views, no copy).
-- How many tokens a prompt has is known when the program runs; some 1024 are expected.

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
