-- Dimensions before and behind the axis: rows are named by their place in the input.
-- digest: c svg
-- dump: plan,program
return split "channels: f16[2,2,4,3] @2 -> x:1 y:3"
