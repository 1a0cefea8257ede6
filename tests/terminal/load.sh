#!/usr/bin/env bash
# load.sh - terminal sessions under load, with an optimized build. LOAD_LONG=1: the contract's numbers.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
export TENON_BUILD=${TENON_BUILD:-$PWD/build}
stage terminal-load python3 tests/terminal/load.py
results_end
