#!/usr/bin/env bash
# run.sh - kill -9 of relays, the daemon and AI hosts in the middle of calls: CHAOS_ROUNDS (20) times; and of the
# daemon in the middle of terminal commands: CHAOS_TERMINAL_ROUNDS (5) times.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
export TENON_BUILD=${TENON_BUILD:-$PWD/build}
stage chaos python3 tests/chaos/chaos.py "${CHAOS_ROUNDS:-20}"
stage chaos-terminal python3 tests/chaos/commands.py "${CHAOS_TERMINAL_ROUNDS:-5}"
results_end
