#!/bin/sh
# meson_test.sh BUILD SUITE [LABEL [TEST...]] - runs one suite of Meson's tests, or these of it, and reports each cmocka test.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/results.sh
results_begin
build=$1
suite=$2
label=${3:-$2}
rm -f "$build/meson-logs/$label.json"
shift "$(($# > 3 ? 3 : $#))"
failed_before=$(results_count failed)
# Half of them wait most of the time.
meson test -C "$build" --no-rebuild --suite "$suite" --logbase "$label" --num-processes $(($(nproc) * 2)) --print-errorlogs \
	--timeout-multiplier 4 --quiet "$@"
code=$?
tools/meson_results.py "$build" "$label" >>"$TENON_RESULTS" || code=1
[ $code = 0 ] || [ "$(results_count failed)" != "$failed_before" ] ||
	result failed "$label" 'meson test' "exit $code"
results_end
