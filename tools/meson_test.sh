#!/bin/sh
# meson_test.sh BUILD SUITE [LABEL] - runs one suite of Meson's tests and reports each cmocka test.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/results.sh
results_begin
rm -f "$1/meson-logs/testlog.json"
failed_before=$(results_count failed)
meson test -C "$1" --no-rebuild --suite "$2" --print-errorlogs --timeout-multiplier 4 --quiet
code=$?
tools/meson_results.py "$1" "${3:-$2}" >>"$TENON_RESULTS" || code=1
[ $code = 0 ] || [ "$(results_count failed)" != "$failed_before" ] ||
	result failed "${3:-$2}" 'meson test' "exit $code"
results_end
