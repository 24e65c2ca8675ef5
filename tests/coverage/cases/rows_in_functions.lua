-- A row as a separate function, called after the last window, and a command longer than a line. Pointers, which no
-- compiler evaluates, have such rows too.
-- options: --isa=avx512,avx2 --prefix=of_this_case_ --unroll=full --section .text.kernels --tune=generic --non-temporal=auto
return {
  split "crossing: f32[60,64] @1 -> 33 31",
  split "threes: u3[400,5] @1 -> 2 3",
  split { name = "words", dtype = "string", shape = { 333, 16 }, axis = 1, lengths = { 5, 11 } },
}
