#!/usr/bin/env bash
# life.sh - how terminal sessions end, and what goes on when others end. LOAD_LONG=1: with the real grace.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
export TENON_BUILD=${TENON_BUILD:-$PWD/build}
# Side by side: most of the time they wait.
pids=()
for parts in 'standalone not_started' 'clients two_servers limits queue' 'times closing back_to_back'; do
	# shellcheck disable=SC2086 # words of a list
	stage "terminal-life-${parts%% *}" python3 tests/terminal/life.py $parts &
	pids+=($!)
done
wait "${pids[@]}"
results_end
