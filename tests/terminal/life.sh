#!/usr/bin/env bash
# life.sh - how terminal sessions begin and end, and what goes on when others end. LOAD_LONG=1: with the real grace.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
export TENON_BUILD=${TENON_BUILD:-$PWD/build}
TENON_LANES=3 # they wait most of the time
for parts in become 'slow ends stuck full_disk' 'never misfortunes' asks real; do
	# shellcheck disable=SC2086 # words of a list
	beside stage "terminal-start-${parts%% *}" timeout -k 5 600 python3 tests/terminal/start_files.py $parts
done
for parts in 'times closing back_to_back' 'standalone not_started' 'clients two_servers limits queue'; do
	# shellcheck disable=SC2086 # words of a list
	beside stage "terminal-life-${parts%% *}" python3 tests/terminal/life.py $parts
done
beside_end
results_end
