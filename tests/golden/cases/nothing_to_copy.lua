-- An empty tensor: a kernel that does nothing.
-- golden: c h bench proof
return split "void_split: f32[0,4] @1 -> a:1 b:3"
