a b = 1
