-- args: --fail-if copies>3
-- exit: 5
local split_rows = 4
return {
  split "small: f32[3] -> 1,2",
  -- note@<command line>:1:21: the limit is given here
  -- error@+1:3: 'large' has 4 copies, but '--fail-if' stops at more than 3; take views, which --list shows, as they are
  split { name = "large", dtype = "f32", shape = { split_rows }, parts = 4 },
}
