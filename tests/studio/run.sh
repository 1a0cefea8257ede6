#!/usr/bin/env bash
# run.sh - the studio against killed processes, several clients at once, whoever means harm, and engines of all kinds.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
export TENON_BUILD=${TENON_BUILD:-$PWD/build}
for script in crash together follow rev hands undo presence fixes truth names defaults hostile runs acts held trust page canvas_runs canvas_approvals canvas_files; do
	stage "studio-$script" timeout -k 5 600 python3 "tests/studio/$script.py"
done
results_end
