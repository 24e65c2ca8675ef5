-- Parts without elements are parameters that nothing touches.
-- digest: c h json proof
-- dump: plan,program
return split "edges: u32[2,3] @1 -> none:0 all:3"
