-- Short rows: a loop takes several of them a trip, and what remains follows in straight line.
-- golden: c
-- digest: json
return split "rgb: u8[101,3] @1 -> r:1 g:1 b:1"
