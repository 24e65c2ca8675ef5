-- Helpers give way to symbols, parameters to what the code uses, constants to each other.
-- digest: c h
-- dump: plan
return {
  split "a: u8[2,3] @1 -> row:1 b_c:2",
  split "a_run: u8[2,4] @1 -> a_run:1 input:3",
  split "a_b: u8[2,5] @1 -> c:1 C:4",
}
