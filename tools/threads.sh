#!/bin/sh
# threads.sh - the unit tests that can reach more than one thread, and several clients of one daemon, under the thread
# sanitizer.
set -eu
cd "$(dirname "$0")/.."
. tools/results.sh
results_begin
CC='ccache clang' CC_LD=mold tools/setup.sh build-tsan -Dtests=enabled \
	-Dbuildtype=custom -Ddebug=false -Doptimization=1 -Db_sanitize=thread -Db_lundef=false -Dc_args=-gline-tables-only
names=$(tools/threaded_tests.py build-tsan)
# shellcheck disable=SC2086 # one word per test
expect build 'clang with the thread sanitizer' env GLIBC_TUNABLES=glibc.malloc.hugetlb=1 nice -n 10 ninja -C build-tsan --quiet \
	tenon tenond tenon-client.so tenon-shaping.so tenon-source.so $(tools/threaded_tests.py --programs build-tsan)
TSAN_OPTIONS=halt_on_error=1:exitcode=98:second_deadlock_stack=1
export TSAN_OPTIONS
# shellcheck disable=SC2086
tools/meson_test.sh build-tsan unit threads $names
# What workers share with the loop of a real daemon, with several clients.
stage threads-studio env TENON_BUILD="$PWD/build-tsan" timeout -k 5 600 python3 tests/studio/together.py
results_end
