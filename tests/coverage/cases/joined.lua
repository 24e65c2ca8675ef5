-- One kernel that joins, by itself: what is said of a single one.
-- options:
return { concat "rgb: u8[40,3]/4 @1 <- r:1 g:1 b:1" }
