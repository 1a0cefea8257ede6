a = [for x y : z]
