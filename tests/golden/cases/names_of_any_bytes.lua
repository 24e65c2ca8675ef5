-- Output names of a model need not be identifiers, nor harmless in a comment.
-- digest: c json svg
-- dump: plan,program
return split {
  name = "model",
  dtype = "bool",
  shape = {2, 3},
  axis = -1,
  lengths = {1, 1, 1},
  outputs = {"block/0:out", "*/ int", "d\u{e9}j\u{e0} \"vu\"\\"},
}
