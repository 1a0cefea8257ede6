#!/usr/bin/env bash
# run.sh [--write] [--keep FOLDER] - what the models of real AI hosts receive of Tenon. With --write docs/hosts.md is made
# anew; with --keep the recorded conversations stay, and those that are there are not had again.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
if ! bwrap --dev-bind / / --unshare-net --unshare-pid --proc /proc true 2>/dev/null; then
	result skipped hosts 'the AI hosts' 'bwrap cannot make a network of its own here'
elif ! tests/hosts/install.sh; then
	result failed hosts 'the AI hosts' 'npm packages cannot be had'
else
	stage hosts env TENON_BUILD="${TENON_BUILD:-$PWD/build}" python3 tests/hosts/hosts.py "$@"
fi
results_end
