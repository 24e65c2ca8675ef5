-- The environment does not exist for specs.
-- error@+1:24: attempt to index a nil value (global 'os'); 'os' is not available in a spec: give what differs between runs by -D n=8, and read it by param("n")
return split { dtype = os.getenv("DTYPE"), shape = { 4 }, parts = 2 }
