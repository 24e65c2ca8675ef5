-- Straight-line code beyond what compilers like in one function.
-- digest: c
-- dump: plan
-- options: --unroll=full
return split "pairs: i16[40,2] @1 -> even:1 odd:1"
