-- An empty list.
-- error@+1:1: the returned list is empty; return one op or more
return {}
