-- Long rows: the loop and NAME_rows share the function that copies one row.
-- golden: c proof-cpp
-- options: --unroll=none
return split "qkv: f32[1,197,576] @2 -> q:192 k:192 v:192"
