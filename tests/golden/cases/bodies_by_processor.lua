-- Two bodies for one instruction set, where no program is good on all processors that have it, and
-- one that a processor leaves to the body behind it.
-- digest: c json
-- dump: plan
-- options: --isa=avx512,avx2
return {
  split "iq: f32[512,2] @1 -> i:1 q:1",
  split "crossing: f32[60,64] @1 -> 33 31",
}
