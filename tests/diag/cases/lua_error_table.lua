-- An error that is not text.
-- error@+1:1: the spec raised an error that is a table value
error { code = 4 }
