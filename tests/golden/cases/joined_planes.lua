-- Parts that become rows with gaps: between parts, where one is left as it is, and behind each row.
-- golden: c test
-- digest: h json
-- options: --isa=portable
return concat{name = "pixels", dtype = "u8", shape = {40, 4}, axis = 1, lengths = {1, 1, 1, 1},
              inputs = {"r", "g", false, "b"}, row_stride = 6}
