-- A notation that is not passed to split.
-- error@+1:1: the spec returns the string 'f32[4] -> /2', not an op or a list of ops; a notation is written split "..."
return "f32[4] -> /2"
