#!/usr/bin/env bash
# run.sh - the terminal against whoever means harm: hostile programs, secrets, every refusal, and what is
# changed between a question and its use.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
export TENON_BUILD=${TENON_BUILD:-$PWD/build}
for script in bound made confined refused secrets hostile learnt truth; do
	beside stage "terminal-$script" timeout -k 5 900 python3 "tests/terminal/$script.py"
done
beside_end
results_end
