-- A single concat kernel: the text for only one kernel.
-- options:
return { concat "rgb: u8[40,3]/4 @1 <- r:1 g:1 b:1" }
