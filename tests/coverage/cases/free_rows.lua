-- Kernels with an open dimension, of every kind: few and many outputs, packed elements, nothing to copy, and
-- two that share their code.
-- run: exhaustively
-- options: --unroll=auto
-- options: --isa=neon
-- options: --non-temporal=always --unroll=none
-- options: --dispatch=static --optimize=size --prefix=p_
return {
  split "wide: f32[batch=40?,3,48] @2 -> 16 16 16",
  split "wide_too: i32[batch=40?,3,48] @2 -> 16 16 16",
  split "mixed: u8[n=90?,37] @1 -> a:1 b:20 rows:16",
  split "some: u16[1,n?,6] @2 -> 1 _:2 3",
  split "lanes: u8[n=70?,40] @1 -> /40",
  split "nibbles: u4[tokens=64?,64,3] @2 -> 1 2",
  split "many_bits: u1[n=3?,8,66] @2 -> /33",
  split "whole: u4[n=5?,6] @1 -> 6",
  split "nibbles_apart: u4[n=5?,10]/12 @1 -> a:2 b:8/10",
  split "none: i32[n=3?,0,4] @2 -> 1 3",
  split "no_lanes: i8[n=3?,0,33] @2 -> /33",
}
