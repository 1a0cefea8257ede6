#!/usr/bin/env bash
# release.sh [all] - the build that users get: gcc, warnings as errors, kills, a browser, load, faults, soak, installation.
# With "all" also what make test has run against the sanitizers' build, and a second build of everything.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/results.sh
results_begin
# One browser and one other: on a machine that has no time for them they see what no person sees.
export TENON_LANES=${TENON_LANES:-2}
# What a slow machine may have no time for comes last.
scripts="hosts/run adapters/run faults/run chaos/run soak/run"
whole=
# Acts of three hands (tests/browser/studio-canvas.mjs), else as many as fit half a minute; rounds of races (tests/studio/held.py);
# stories of the page that CI has no time for, and the forms of all types (tests/browser).
[ "${1:-}" != all ] || export TENON_ACTS=500 TENON_ROUNDS=60 TENON_PROOF=1
[ "${1:-}" != all ] || whole=yes
[ "${1:-}" != all ] || scripts="$scripts terminal/run interop/run terminal/conversation studio/run studio/conversation daemon/run
	floorplan/conversation floorplan/kept conformance/run"

installed() {
	stage install tests/install/run.sh
	# What that has built, once more. CI compares with what the bare machine has built.
	[ -z "$whole" ] || stage reproducible tools/reproducible.sh build
}

browsers() {
	for part in canvas hands pages; do
		stage "release-browser-$part" env TENON_BUILD="$PWD/build-gcc" tests/browser/run.sh "$part"
	done
}

# By the names that "make build" has: what it compiles again for the installation comes from the cache.
expect build 'the compiler is gcc' sh -c 'cc --version | grep -q "Free Software Foundation"'
CC='ccache cc' tools/setup.sh build-gcc -Dtests=enabled -Dwerror=true
# shellcheck disable=SC2046 # one word per program
expect build 'gcc, warnings as errors' ninja -C build-gcc --quiet $(tools/programs.py build-gcc)
unit_tests() {
	expect build 'gcc, unit tests' ninja -C build-gcc --quiet
	tools/meson_test.sh build-gcc unit release-unit
}
stage hardening tools/hardening.sh build-gcc
beside installed
export FAULTS_QUICK=1 SOAK_SECONDS=60 TENON_LONG=1
beside browsers
for script in $scripts; do
	beside stage "release-${script//\//-}" env TENON_BUILD="$PWD/build-gcc" "tests/$script.sh"
done
beside stage release-unit unit_tests
beside_end
# It measures ratios: by itself.
stage release-terminal-load env TENON_BUILD="$PWD/build-gcc" tests/terminal/load.sh
results_end
