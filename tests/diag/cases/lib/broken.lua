-- Syntax that is wrong on purpose.
return { 1, 2 3 }
