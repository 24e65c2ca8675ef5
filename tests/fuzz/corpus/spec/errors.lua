return split { nmae = "x", dtype = "f33", shape = { 2.5, -1, {} }, axis = 9, lengths = { 1, "2" }, parts = 2 }
