-- A Split of unknown shape, with the fields that would help.
-- error@lib/net.onnxtxt:5:3: Split 'a' needs every dim of 'x' as a number, but it is [batch, 6]
-- note@+3:8: 'lib/net.onnxtxt' is loaded here
-- note@lib/net.onnxtxt:2:6: shape inference stops at 'x': an input of the model
-- note@nowhere: leave open what has no number with open = true, or give dims = { batch = VALUE }, or leave this Split out with except = { "a" }
return onnx.load("lib/net.onnxtxt")
