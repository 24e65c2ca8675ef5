-- Two bodies for one instruction set, where no program is good on all processors that have it.
-- golden: c json
-- options: --isa=avx512
return split "iq: f32[512,2] @1 -> i:1 q:1"
