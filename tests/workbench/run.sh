#!/usr/bin/env bash
# run.sh - the workbench in a real daemon: without Node and a browser, then with the real Vite of the demo and Chromium, each
# skipped with a reason where it is missing. TENON_PROOF=1: everything in both lanes of the demo.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
export TENON_BUILD=${TENON_BUILD:-$PWD/build}
for lane in harbour harbour-legacy; do
	tools/packages.py "demo/$lane" || result skipped "workbench-$lane" 'the packages' 'the registry is not reachable'
done

try() {
	stage "workbench-$1" timeout -k 5 600 python3 "tests/workbench/$1.py" "${@:2}"
}

lanes=harbour
[ -z "${TENON_PROOF:-}" ] || lanes='harbour harbour-legacy'
for script in core preview scenarios hostile_folder secure tagged acting agreed order untrusted edits save promotions demonstration scenes producers; do
	try "$script"
done
# shellcheck disable=SC2086 # words
try managed commands scripts $lanes
# shellcheck disable=SC2086
try shown $lanes
# The oldest Node that is promised, where the machine has it.
case $(node --version 2>/dev/null) in
v20.*)
	TENON_TEST_NODE=$(dirname "$(command -v node)")
	export TENON_TEST_NODE
	stage workbench-managed-node20 timeout -k 5 600 python3 tests/workbench/managed.py scripts harbour
	;;
*) result skipped workbench-managed-node20 'configurations, modules and Vite' 'Node 20 is not installed' ;;
esac
results_end
