#!/usr/bin/env bash
# test.sh - what "make test" runs: everything against a build with address and undefined-behaviour
# sanitizers, and the unit tests once more with the thread sanitizer.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/results.sh
. tools/sanitizers.sh
results_begin

stage build-asan tools/build_asan.sh
if [ ! -x build-asan/tenon ]; then
	results_end
	exit 1
fi
sanitizers_on build-asan
# The long ones first, so that none of them is left alone at the end.
beside stage unit tools/meson_test.sh build-asan unit
for script in workbench/run studio/run terminal/run interop/run cli/run attacks/run; do
	beside stage "${script//\//-}" env TENON_BUILD="$PWD/build-asan" "tests/$script.sh"
done
beside stage command-line tools/meson_test.sh build-asan cli command-line
for script in floorplan/golden daemon/run terminal/life relay/run conformance/run http/run studio/hcl floorplan/conversation \
	studio/conversation terminal/conversation floorplan/kept; do
	beside stage "${script//\//-}" env TENON_BUILD="$PWD/build-asan" "tests/$script.sh"
done
beside stage fuzz-replay tools/meson_test.sh build-asan fuzz-replay
# A build of its own. It sets its own options, and leaves what is still running a processor.
# Where little time is left it is what release.sh checks that is not given up.
TENON_UNTIL=${TENON_UNTIL:+$((TENON_UNTIL - 35 * 60))} beside stage threads tools/threads.sh
beside_end
stage sanitizers sanitizers_check build-asan
results_end
