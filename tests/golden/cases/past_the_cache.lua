-- A body that runs past the cache of one processor alone: of rows in order, by whole lines for all
-- columns but the last. JSON, which predicts for data in L1, does not know of it.
-- digest: c json
-- dump: plan
-- options: --isa=avx512
return { split "mixed: f32[6001,229] @1 -> 25 33 16 24 25 51 19 35 1" }
