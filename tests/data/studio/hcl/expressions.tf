a = var.x
b = "p-${var.x}-s"
c = var.x ? "y" : "n"
d = [for s in var.l : upper(s) if s != ""]
e = { for k, v in var.m : k => v... }
f = var.l[*].id
g = var.l.*.id
h = var.l[0].id
i = var.l.0.id
j = f(1, g("x"), [2]...)
k = !(var.a && var.b) || var.c >= 2 + 3 * -4
l = "%{ if var.a }x%{ else }y%{ endif }"
m = "%{ for s in var.l ~}${s}%{ endfor ~}"
n = <<-EOT
  a ${var.x}
    b
  EOT
o = (
  var.x
  + 1
)
p = [
  var.x, # one
  // two
  2, /* three */
]
q = { "${var.k}" = 1, (var.k) = 2 }
r = a.b["c"].d[var.i]
s = provider::ns::fn(1)
