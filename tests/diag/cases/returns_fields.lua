-- The word split is missing.
-- error@+1:1: the returned list has an entry 'dtype', but a list has no named entries; was split { ... } meant?
return { dtype = "f32", shape = { 4 }, parts = 2 }
