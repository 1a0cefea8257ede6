#!/usr/bin/env bash
# run.sh - the terminal against whoever means harm: hostile programs, secrets, every refusal, and what is
# changed between a question and its use.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
export TENON_BUILD=${TENON_BUILD:-$PWD/build}
# The long ones in parts, so that each is within its time on a machine that is slow.
for script in 'bound smuggled' 'bound table properties' 'bound shapes exchanged unheld names races' \
	'bound directories command_line held contained' 'made 1/2' 'made 2/2' confined refused secrets hostile learnt truth; do
	name=${script//[!a-z0-9_]/-}
	# shellcheck disable=SC2086 # a script and its words
	set -- $script
	beside stage "terminal-$name" timeout -k 5 400 python3 "tests/terminal/$1.py" "${@:2}"
done
beside_end
results_end
