#!/usr/bin/env bash
# run.sh - the daemon as users have it: its life, its settings, its own app, who may and who may not.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
export TENON_BUILD=${TENON_BUILD:-$PWD/build}
for script in tests/daemon/*.py; do
	stage "daemon-$(basename "$script" .py)" python3 "$script"
done
results_end
