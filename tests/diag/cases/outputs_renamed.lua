-- Names of outputs that are not identifiers in C.
-- exit: 0
return {
  -- warning@+2:71: output name '1q' starts with a digit; in C it is 'x1q'
  -- warning@+1:77: output name 'k-2' holds a character other than letters, digits and '_'; in C it is 'k_2'
  split { dtype = "f32", shape = { 12 }, lengths = {8, 4}, outputs = {"1q", "k-2"} },
  -- warning@+1:71: output name 'for' is a keyword of C; in C it is 'for_'
  split { dtype = "f32", shape = { 12 }, lengths = {8, 4}, outputs = {"for", "k"} },
}
