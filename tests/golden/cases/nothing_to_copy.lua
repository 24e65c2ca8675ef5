-- An empty tensor: a kernel that does nothing.
-- digest: c h bench proof
-- dump: plan,program
return split "void_split: f32[0,4] @1 -> a:1 b:3"
