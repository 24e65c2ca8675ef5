-- An escape that does not exist.
-- error@+1:39: invalid escape sequence near '"a\q'
return split { dtype = "f\32", name = "a\qb", shape = { 4 }, parts = 2 }
