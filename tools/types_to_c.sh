#!/bin/sh
# types_to_c.sh TYPES.tsv - the table of resource types as a C array, sorted by name, on standard
# output. Refuses lines it does not understand and names that stand there twice.
set -eu
LC_ALL=C
export LC_ALL

grep -v '^#' "$1" | sort -t "$(printf '\t')" -k 1,1 | awk -F '\t' '
BEGIN {
	split("stateful compute network access identity key dns dns-zone secret-gen light", classes, " ")
	for (i in classes) {
		constant = "TN_PLAN_" toupper(classes[i])
		gsub("-", "_", constant)
		known[classes[i]] = constant
	}
	print "/* Made by tools/types_to_c.sh; do not edit. */"
	print "#include \"apps/plan/explain/vocabulary_table.h\"\n"
	print "const struct tn_plan_type tn_plan_type_table[] = {"
}
function refuse(why) {
	print "types_to_c.sh: " $0 ": " why > "/dev/stderr"
	failed = 1
	exit 1
}
$0 == "" { next }
NF != 3 || $1 !~ /^[a-z0-9_]+$/ || $2 !~ /^[A-Za-z0-9 -]+$/ { refuse("not type, noun, class") }
!($3 in known) { refuse("no such class") }
$1 == last { refuse("the type stands there twice") }
{
	printf "\t{\"%s\", \"%s\", %s},\n", $1, $2, known[$3]
	last = $1
	count++
}
END {
	if (failed)
		exit 1
	print "};\n"
	print "const size_t tn_plan_type_count = " count ";"
}'
