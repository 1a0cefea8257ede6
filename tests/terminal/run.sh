#!/usr/bin/env bash
# run.sh - the terminal against whoever means harm: hostile programs, secrets, and every refusal.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
export TENON_BUILD=${TENON_BUILD:-$PWD/build}
for script in refused secrets hostile; do
	stage "terminal-$script" timeout -k 5 400 python3 "tests/terminal/$script.py"
done
results_end
