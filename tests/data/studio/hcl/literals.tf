a = 1
b = -12.5e+3
c = "x\n\t\"q\" \\ \u00e4 \U0001F600"
d = "$${kept} %%{kept} $ % $$ $x"
e = [1, "two", true, null, [3, { k = "v" }]]
f = { x = 1, "y z" : 2
  w = 3
}
g = <<EOT
plain
  indented \n $${x}
EOT
h = <<-EOT
    four
      six

    four
    EOT
i = -5
j = ""
k = {}
l = []
m = "${"inner"}"
n = "ümlaut 漢字"
o = 0.1
p = 1e3
q = true
