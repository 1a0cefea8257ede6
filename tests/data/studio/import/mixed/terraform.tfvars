suffix = "0815"
