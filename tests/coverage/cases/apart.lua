-- Splits with row strides, of the full tensor and of parts.
-- options:
-- options: --non-temporal=always
return {
  split "wide: f32[64,24]/40 @1 -> left:8/12 right:16",
  split "batched: f32[n?,48]/64 @1 -> a:16/20 b:32",
  split "bits: u4[30,10]/12 @1 -> a:2 b:8/10",
}
