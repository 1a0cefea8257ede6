#!/usr/bin/env bash
# coverage.sh [quick] - which lines of src/ the tests reach, per folder and per file; the details are
# in build-coverage/report/index.html. Fails when jsonrpc, mcp or transport are below 95 %.
#
# quick: the unit tests and nothing else.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/results.sh
results_begin
required=95
build=$PWD/build-coverage
CC=gcc tools/setup.sh "$build" -Dtests=enabled -Dbuildtype=debug -Db_coverage=true \
	-Dwerror=false || exit 1
expect coverage 'gcc with counters' ninja -C "$build" --quiet
find "$build" -name '*.gcda' -delete
stage coverage-unit tools/meson_test.sh "$build" unit
if [ "${1:-}" != quick ]; then
	for suite in fuzz-replay cli; do
		stage "coverage-$suite" tools/meson_test.sh "$build" "$suite"
	done
	for script in cli http attacks interop conformance; do
		stage "coverage-$script" env TENON_BUILD="$build" "tests/$script/run.sh"
	done
fi

# gcov reads what exited processes have written; one that was killed has written nothing.
lcov --quiet --capture --directory "$build" --base-directory "$build" \
	--output-file "$build/all.info" &&
	lcov --quiet --extract "$build/all.info" "$PWD/src/*" --output-file "$build/src.info" &&
	lcov --quiet --remove "$build/src.info" '*_test.c' '*/test_*.c' '*_test_kit.c' \
		--output-file "$build/src.info" || exit 1
genhtml --quiet --prefix "$PWD" --output-directory "$build/report" "$build/src.info" || exit 1

# One line for each file and folder: lines, percent, name; folders end in "/".
awk -F '[:,]' -v top="$PWD/" '
	/^SF:/ {
		file = substr($0, 4); sub(top, "", file)
		folder = file; sub(/[^\/]*$/, "", folder)
	}
	/^DA:/ {
		lines[file]++; lines[folder]++; lines["src/"]++
		if ($3 > 0) { hit[file]++; hit[folder]++; hit["src/"]++ }
	}
	END {
		for (name in lines)
			printf "%6d %6.1f %s\n", lines[name], 100 * hit[name] / lines[name], name
	}' "$build/src.info" | LC_ALL=C sort -k 3 >"$build/coverage.txt"
awk '{ printf "%s%-40s %6d lines %6.1f %%\n", $3 ~ /\/$/ ? "" : "  ", $3, $1, $2 }' \
	"$build/coverage.txt"

for folder in src/jsonrpc/ src/mcp/ src/transport/; do
	percent=$(awk -v folder="$folder" '$3 == folder { print $2 }' "$build/coverage.txt")
	if awk -v p="${percent:-0}" -v r=$required 'BEGIN { exit !(p >= r) }'; then
		result passed coverage "$folder"
	else
		result failed coverage "$folder" "${percent:-no} % of the lines; at least $required %"
	fi
done
results_end
