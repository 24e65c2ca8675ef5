-- An error in the model has its place there, an error in a name its place here.
-- note@+2:13: 'lib/net.onnxtxt' is loaded here
-- note@+1:13: 'lib/net.onnxtxt' is loaded here
local ops = onnx.load("lib/net.onnxtxt", { dims = { batch = 1 } })
-- error@+1:8: op 'a b': kernel name 'a b' holds a character other than letters, digits and '_'; 'a_b' would do
ops[1].name = "a b"
-- error@lib/net.onnxtxt:3:22: op 'a b': lengths sum to 7, but axis 1 has 6
-- note@lib/net.onnxtxt:5:28: the shape is given here
return ops
