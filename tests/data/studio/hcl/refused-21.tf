a = "x" /* open
