-- Parameters that are never read: only a name that looks misspelt is a warning.
-- warning@<command line>:1:13: no input has a parameter or dim 'batc'; did you mean 'batch'?
-- exit: 0
-- args: -D batc=2 -D other=1
return split { dtype = "f32", shape = { param("batch", 1), 4 }, axis = 1, parts = 2 }
