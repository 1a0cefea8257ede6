#!/bin/sh
# safety_to_c.sh SAFETY.tsv - the table of settings that are risky one way as a C array, sorted by
# name, on standard output. Refuses lines it does not understand and settings that stand there twice.
set -eu
LC_ALL=C
export LC_ALL

grep -v '^#' "$1" | sort -t "$(printf '\t')" -k 1,1 -k 2,2 | awk -F '\t' '
BEGIN {
	kinds["off"] = "TN_PLAN_RISKY_OFF"
	kinds["on"] = "TN_PLAN_RISKY_ON"
	kinds["less"] = "TN_PLAN_RISKY_LESS"
	kinds["less-0-forever"] = "TN_PLAN_RISKY_LESS_FOREVER"
	kinds["gone"] = "TN_PLAN_RISKY_GONE"
	print "/* Made by tools/safety_to_c.sh; do not edit. */"
	print "#include \"apps/plan/explain/safety.h\"\n"
	print "const struct tn_plan_safety tn_plan_safety_table[] = {"
}
function refuse(why) {
	print "safety_to_c.sh: " $0 ": " why > "/dev/stderr"
	failed = 1
	exit 1
}
$0 == "" { next }
NF != 4 || $1 !~ /^(\.|(\*_|[a-z0-9_]+\.)?[a-z0-9_]+|[a-z0-9_]+\{\})$/ { refuse("not name, of, risky, meaning") }
$2 !~ /^(-|[a-z0-9_]+\*?)$/ { refuse("no such type") }
!($3 in kinds) && $3 !~ /^[A-Za-z_-]+(>[A-Za-z_-]+)+(,[A-Za-z_-]+(>[A-Za-z_-]+)+)*$/ { refuse("no such change") }
$4 !~ /^[a-z-]+$/ { refuse("no such meaning") }
$1 "\t" $2 == last { refuse("the setting stands there twice") }
{
	meaning = "TN_PLAN_MEANS_" toupper($4)
	gsub("-", "_", meaning)
	printf "\t{\"%s\", \"%s\", \"%s\", %s, %s},\n", $1, $2 == "-" ? "" : $2, $3 in kinds ? "" : $3,
		$3 in kinds ? kinds[$3] : "TN_PLAN_RISKY_ORDER", meaning
	last = $1 "\t" $2
	count++
}
END {
	if (failed)
		exit 1
	print "};\n"
	print "const size_t tn_plan_safety_count = " count ";"
}'
