prefix = "acme"
