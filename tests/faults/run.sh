#!/usr/bin/env bash
# run.sh - fault runs, on a build of their own: gcc with its sanitizers as shared libraries, so that
# the preloaded library stands before them. FAULTS_QUICK=1 for the short run of .ci/run.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
build=$PWD/build-faults
CC=gcc tools/setup.sh "$build" -Dtests=disabled -Dbuildtype=debugoptimized \
	-Db_sanitize=address,undefined -Dc_args='-fno-omit-frame-pointer -fno-sanitize-recover=all' ||
	exit 1
expect faults 'gcc with sanitizers' ninja -C "$build" --quiet
gcc -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -Wno-nonnull-compare \
	-fno-omit-frame-pointer -fPIC -shared -o "$build/inject.so" tests/faults/inject.c -ldl ||
	exit 1
python3 tests/faults/drive.py "$build" "$build/inject.so"
code=$?
[ $code = 0 ] || [ $code = 3 ] || result failed faults drive.py "exit $code"
results_end
