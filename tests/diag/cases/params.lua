-- Parameters of the wrong type, and without a value.
-- error@<command line>:1:13: 'batch' must be an integer, not 'two'
-- error@<command line>:1:36: 'half' must be an integer, not '0.5'
-- error@<command line>:1:26: 'flag' must be true or false, not '1'
-- args: -D batch=two -D flag=1 -D half=0.5
return {
  -- note@+1:36: its default is given here
  split { dtype = "f32", shape = { param("batch", 1), 4 }, axis = 1, parts = 2 },
  -- note@+1:36: its default is given here
  split { dtype = "f32", shape = { param("half", 1), 4 }, axis = 1, parts = 2 },
  -- note@+1:49: its default is given here
  split { dtype = "f32", shape = { 4 }, parts = param("flag", false) and 2 or 4 },
  -- error@+1:36: 'width' has no value; give it one with -D width=...
  split { dtype = "f32", shape = { param("width"), 4 }, axis = 1, parts = 2 },
  -- error@+1:36: the default of 'depth' must be an integer, a string, true or false
  split { dtype = "f32", shape = { param("depth", 2.5), 4 }, axis = 1, parts = 2 },
  -- error@+1:36: param takes a name and a default: param("n", 1)
  split { dtype = "f32", shape = { param(7, 2), 4 }, axis = 1, parts = 2 },
}
