return ("a"):rep(1000):find((".-"):rep(20) .. "b")
