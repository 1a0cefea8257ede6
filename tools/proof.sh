#!/usr/bin/env bash
# proof.sh - what "make proof" runs: what takes too long for each change. FUZZ_SECONDS, SOAK_SECONDS and CHAOS_ROUNDS
# say how long the last ones take.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/results.sh
results_begin
stage bare tests/bare/run.sh all
stage release tools/release.sh all
stage faults tests/faults/run.sh
stage coverage tools/coverage.sh
stage fuzz tools/fuzz.sh
stage soak tests/soak/run.sh
stage chaos env CHAOS_ROUNDS="${CHAOS_ROUNDS:-200}" tests/chaos/run.sh
results_end
