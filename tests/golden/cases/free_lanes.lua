-- The same with more outputs than parameters, and with nothing to copy.
-- golden: c bench
-- options: --isa=portable
return {
  split "lanes: u8[n=9?,33] @1 -> /33",
  split "nothing: i32[n=3?,0,4] @2 -> 1 3",
}
