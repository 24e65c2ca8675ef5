local function f(x) return { f(x) } end
return f(1)
