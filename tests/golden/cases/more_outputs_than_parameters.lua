-- Above 32 outputs the kernel takes an array of pointers.
-- golden: c h
return split {name = "lanes", dtype = "i32", shape = {2, 33}, axis = 1, parts = 33}
