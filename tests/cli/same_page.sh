#!/bin/sh
# same_page.sh PROGRAM PAGE WORD... - fails when the page is not what the program says; --write mends it:
#   tests/cli/same_page.sh build/tests/tenon-docs docs/configuration.md config --write
set -eu
program=$1
page=$2
shift 2
case "$*" in
*--write) exec "$program" "${*% --write}" >"$page" ;;
esac
"$program" "$@" | diff -u "$page" - || {
	echo "$page is not current: $0 $program $page $* --write" >&2
	exit 1
}
