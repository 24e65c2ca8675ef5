return ("x"):rep(100000000)
