-- The environment does not exist for specs.
-- error@+1:24: attempt to index a nil value (global 'os'); 'os' is not available in a spec
return split { dtype = os.getenv("DTYPE"), shape = { 4 }, parts = 2 }
