-- The same with more outputs than parameters, and with nothing to copy.
-- digest: c bench
-- dump: plan
-- options: --isa=portable
return {
  split "lanes: u8[n=9?,33] @1 -> /33",
  split "nothing: i32[n=3?,0,4] @2 -> 1 3",
}
