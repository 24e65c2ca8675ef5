-- Memory without end.
-- exit: 5
-- args: --max-memory=4
local text = "x"
-- error@+1:1: the spec needs more than 4 MiB of memory; if it is meant to, raise --max-memory
while true do text = text .. text end
