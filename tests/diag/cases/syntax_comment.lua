-- A comment in the syntax of Python.
-- error@+1:1: unexpected symbol near '#'; a comment begins with --
# a split
return split { dtype = "f32", shape = { 2, 12 }, axis = 1, parts = 3 }
