#!/usr/bin/env bash
# run.sh - SOAK_SECONDS (180) of mixed traffic on one server: plans of all sizes, errors, sessions that
# come and go, clients that leave. Memory and descriptors must not go up.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
. tests/lib/serve.sh
results_begin
build=${TENON_BUILD:-$PWD/build}
out=$build/soak
rm -rf "$out"
mkdir -p "$out/run"
chmod 700 "$out/run"
export XDG_STATE_HOME=$out/state XDG_CONFIG_HOME=$out/config XDG_RUNTIME_DIR=$out/run
serve_start "$out/server.log" "$build/tenon" serve plan --http 127.0.0.1:0 || exit 1
stage soak python3 tests/soak/traffic.py "$serve_url" "$serve_token" "$serve_pid" \
	"${SOAK_SECONDS:-180}"
expect soak 'the server is alive afterwards' kill -0 "$serve_pid"
expect soak 'the server ends in order' serve_stop
results_end
