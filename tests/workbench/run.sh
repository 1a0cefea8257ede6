#!/usr/bin/env bash
# run.sh - the workbench in a real daemon: without Node and without a browser, and (managed, shown) with both where they are there.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
export TENON_BUILD=${TENON_BUILD:-$PWD/build}
for script in core preview acting managed shown demonstration agreed edits save promotions; do
	stage "workbench-$script" timeout -k 5 600 python3 "tests/workbench/$script.py"
done
results_end
