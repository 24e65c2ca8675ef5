-- An address would differ in every run.
-- error@+1:36: '%p' is not available in a spec
return split { name = ("split_%p"):format({}), dtype = "f32", shape = { 4 }, parts = 2 }
