-- More copies than may be unrolled.
-- note@nowhere: --unroll=auto puts a loop of constant trip count around one row
-- exit: 5
-- args: --unroll=full
-- error@+1:8: 'unroll' needs 3145728 copies in straight line, more than the cap of 16384
return split { dtype = "u8", shape = { 1 << 20, 3 }, axis = 1, parts = 3 }
