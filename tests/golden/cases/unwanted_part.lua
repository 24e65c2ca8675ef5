-- A part nobody reads keeps its place and gets no code.
-- golden: c h json svg
return split "heads: i8[3,8] @1 -> left:3 _:2 right:3"
