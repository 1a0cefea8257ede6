#!/bin/sh
# threads.sh - the unit tests under the thread sanitizer.
set -eu
cd "$(dirname "$0")/.."
. tools/results.sh
results_begin
CC=clang tools/setup.sh build-tsan -Dtests=enabled \
	-Dbuildtype=debugoptimized -Db_sanitize=thread -Db_lundef=false
expect build 'clang with the thread sanitizer' ninja -C build-tsan --quiet
TSAN_OPTIONS=halt_on_error=1:exitcode=98:second_deadlock_stack=1
export TSAN_OPTIONS
tools/meson_test.sh build-tsan unit threads
results_end
