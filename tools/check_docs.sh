#!/bin/sh
# check_docs.sh - compiles the C pieces of docs/*.md against the public headers, so that a page cannot
# show what the library does not have.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for page in docs/*.md README.md; do
	awk -v stem="$work/$(basename "$page" .md)" '
		/^```c$/ { n++; file = stem "." n ".c"; on = 1
			print "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <tenon/tenon.h>" >file
			print "#line " NR + 1 " \"" FILENAME "\"" >file; next }
		/^```$/ { on = 0; next }
		on { print >file }' "$page"
done
failed=0
for piece in "$work"/*.c; do
	[ -e "$piece" ] || continue
	cc -std=c11 -Wall -Wextra -Werror -Wno-unused-function -fsyntax-only -Iinclude "$piece" || failed=1
done
exit $failed
