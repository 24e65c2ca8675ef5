-- A warning that is treated as an error.
-- error@<command line>:1:10: warnings are treated as errors
-- args: -Werror
-- warning@+1:90: part 4 is empty: axis 0 has 5, and 3 chunks of 2 before the last part exceed it; give the lengths in 'split'
return onnx.Split { opset = 18, data = { dtype = "float", shape = { 5 } }, num_outputs = 4 }
