-- Kernels in files that need no headers of splitgen: with descriptors, whose tests include the file, and without.
-- emit: c,h,test,bench,registry,proof
-- options: --standalone=descriptors
-- emit: c,h
-- options: --standalone
-- options: --standalone --isa=portable --no-memcpy
return {
  split "rows: u8[640,3] @1 -> r:1 g:1 b:1",
  split "batch: f32[n=40?,5] @1 -> 2 3",
  split "scaled: u8[n=4?,6,m=3?] @1 -> a:2 b:4",
  split "straight: f32[2,3] @1 -> 1 2",
}
