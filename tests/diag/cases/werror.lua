-- A warning that is treated as an error.
-- error@<command line>:1:10: warnings are treated as errors
-- args: -Werror
-- warning@+1:90: part 3 is empty: axis 0 has 5, and chunks of 2 fill only 3 of 4 parts; ONNX Runtime refuses such a split
return onnx.Split { opset = 18, data = { dtype = "float", shape = { 5 } }, num_outputs = 4 }
