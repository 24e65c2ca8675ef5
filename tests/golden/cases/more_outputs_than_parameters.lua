-- Above 32 outputs the kernel takes an array of pointers.
-- digest: c h
-- dump: plan
return split {name = "lanes", dtype = "i32", shape = {2, 33}, axis = 1, parts = 33}
