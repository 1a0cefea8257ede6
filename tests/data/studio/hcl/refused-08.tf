a = <<E
x
