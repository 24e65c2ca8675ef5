-- Text cannot become code.
-- error@+1:8: attempt to call a nil value (global 'load'); 'load' is not available in a spec
return load("return split {}")()
