# comment
resource "type" "name" {
  a = 1 # trailing
  nested {
    b = 2
    deeper "label" {}
  }
  nested { b = 3 }

  /* between */ c = 4
}

locals {}
module m { source = "./m" }
// end
