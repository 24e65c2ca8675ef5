-- A cut along the outermost axis: every part is a contiguous view, and the copy is one run.
-- digest: c h json
-- dump: plan,program
return split {name = "halves", dtype = "f64", shape = {4, 300}, parts = 2, outputs = {"top", "bottom"}}
