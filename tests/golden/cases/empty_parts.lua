-- Parts without elements are parameters that nothing touches.
-- golden: c h json proof
return split "edges: u32[2,3] @1 -> none:0 all:3"
