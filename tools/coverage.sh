#!/usr/bin/env bash
# coverage.sh - which lines of src/ the unit tests, corpora, command-line and HTTP tests reach, per
# folder; the details are in build-coverage/report/index.html.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/results.sh
results_begin
build=$PWD/build-coverage
CC=gcc tools/setup.sh "$build" -Dtests=enabled -Dbuildtype=debug -Db_coverage=true \
	-Dwerror=false || exit 1
expect coverage 'gcc with counters' ninja -C "$build" --quiet
find "$build" -name '*.gcda' -delete
for suite in unit fuzz-replay cli; do
	stage "coverage-$suite" tools/meson_test.sh "$build" "$suite"
done
for script in tests/cli/run.sh tests/http/run.sh tests/conformance/run.sh; do
	[ ! -x "$build/tenon" ] || stage "coverage-$(basename "$(dirname "$script")")" \
		env TENON_BUILD="$build" "$script"
done

lcov --quiet --capture --directory "$build" --base-directory "$build" \
	--output-file "$build/all.info" &&
	lcov --quiet --extract "$build/all.info" "$PWD/src/*" --output-file "$build/src.info" &&
	lcov --quiet --remove "$build/src.info" '*_test.c' --output-file "$build/src.info" || exit 1
genhtml --quiet --prefix "$PWD" --output-directory "$build/report" "$build/src.info" || exit 1

awk -F '[:,]' -v top="$PWD/" '
	/^SF:/ {
		file = substr($0, 4); sub(top, "", file)
		folder = file; sub(/\/[^\/]*$/, "", folder)
	}
	/^DA:/ {
		lines[folder]++; all++
		if ($3 > 0) { hit[folder]++; all_hit++ }
	}
	END {
		for (folder in lines)
			printf "%-24s %6d lines %6.1f %%\n", folder, lines[folder], 100 * hit[folder] / lines[folder]
		printf "%-24s %6d lines %6.1f %%\n", "~all", all, 100 * all_hit / all
	}' "$build/src.info" | sort | sed 's/^~all/all /'
results_end
