-- Outputs written as tables.
return {
  -- error@+1:77: 'view' must be true or false, not the string 'yes'
  split { dtype = "u8", shape = { 8 }, parts = 2, outputs = { "a", { view = "yes" } } },
  -- error@+1:70: unknown field 'views' in entry 2 of 'outputs'; did you mean 'view'?
  split { dtype = "u8", shape = { 8 }, parts = 2, outputs = { "a", { views = true } } },
}
