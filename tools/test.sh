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
stage unit tools/meson_test.sh build-asan unit
stage fuzz-replay tools/meson_test.sh build-asan fuzz-replay
stage command-line tools/meson_test.sh build-asan cli command-line
for script in tests/cli/run.sh tests/http/run.sh tests/attacks/run.sh tests/daemon/run.sh \
	tests/relay/run.sh tests/interop/run.sh tests/conformance/run.sh tests/terminal/conversation.sh \
	tests/terminal/life.sh tests/terminal/run.sh tests/studio/hcl.sh tests/studio/conversation.sh \
	tests/studio/run.sh tests/floorplan/conversation.sh tests/floorplan/kept.sh \
	tests/floorplan/golden.sh; do
	stage "$(basename "$(dirname "$script")")" env TENON_BUILD="$PWD/build-asan" "$script"
done
stage sanitizers sanitizers_check build-asan
sanitizers_off
stage threads tools/threads.sh
results_end
