#!/usr/bin/env bash
# run.sh - fault runs, on the sanitizers' build. FAULTS_QUICK=1 for the short run of .ci/run.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
build=$PWD/build-asan
tools/build_asan.sh tenon tenond tenon-client.so tiny-server tiny-client conformance-server || exit 1
gcc -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -Wno-nonnull-compare \
	-fno-omit-frame-pointer -fPIC -shared -o "$build/inject.so" tests/faults/inject.c -ldl ||
	exit 1
# Thousands of short runs, which leave the processor to what runs beside them.
nice -n 10 python3 tests/faults/drive.py "$build" "$build/inject.so"
code=$?
[ $code = 0 ] || [ $code = 3 ] || result failed faults drive.py "exit $code"
results_end
