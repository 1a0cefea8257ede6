#!/usr/bin/env bash
# release.sh - the build that users get: gcc, warnings as errors, unit tests, the official suite,
# installation, start and stop.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/results.sh
results_begin
CC=gcc tools/setup.sh build-gcc -Dtests=enabled -Dwerror=true
expect build 'gcc, warnings as errors' ninja -C build-gcc --quiet
stage release-unit tools/meson_test.sh build-gcc unit release-unit
for script in tests/daemon/run.sh tests/chaos/run.sh tests/browser/run.sh tests/conformance/run.sh \
	tests/interop/run.sh tests/terminal/conversation.sh tests/terminal/load.sh tests/terminal/run.sh \
	tests/studio/conversation.sh tests/studio/run.sh tests/floorplan/conversation.sh tests/floorplan/kept.sh \
	tests/faults/run.sh tests/soak/run.sh; do
	stage "release-$(basename "$(dirname "$script")")" env TENON_BUILD="$PWD/build-gcc" \
		FAULTS_QUICK=1 SOAK_SECONDS=60 TENON_LONG=1 "$script"
done
stage install tests/install/run.sh
results_end
