-- A spec that returns something else.
-- error@+1:1: the spec returns 4, not an op or a list of ops
return 4
