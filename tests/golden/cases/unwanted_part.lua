-- A part nobody reads keeps its place and gets no code.
-- digest: c h json svg
-- dump: plan,program
return split "heads: i8[3,8] @1 -> left:3 _:2 right:3"
