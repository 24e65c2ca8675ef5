local co = coroutine and coroutine.wrap(function() while true do end end)
return co and co()
