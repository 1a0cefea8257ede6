#!/usr/bin/env bash
# run.sh - the 28 attack lines of docs/attacks.md, each by its number, against the programs of $TENON_BUILD.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
export TENON_BUILD=${TENON_BUILD:-$PWD/build}
stage attacks python3 tests/attacks/lines.py
results_end
