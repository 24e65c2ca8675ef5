-- A row as a function of its own, behind vectors, and a command that takes more than a line.
-- options: --isa=all --prefix=of_this_case_ --nt=never --tune=neoverse_v2 --unroll-budget=4000 --section .text.kernels
return {
  split "crossing: f32[200,64] @1 -> 33 31",
  split "threes: u3[400,5] @1 -> 2 3",
}
