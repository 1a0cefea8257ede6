#!/usr/bin/env bash
# run.sh - SOAK_SECONDS (600) of 24 clients on conformance-server and on `tenon serve plan`: all
# transports and revisions, errors, cancels, sessions that come and go, clients that leave. Every answer
# must be right, memory and descriptors must not go up. SOAK_WAYS="stdio;HTTP" picks transports.
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
socket=$out/run/features.sock
# Freed memory goes back at once, and one arena serves all threads: what is resident is what is in use.
GLIBC_TUNABLES=glibc.malloc.arena_max=1:glibc.malloc.tcache_count=0
export GLIBC_TUNABLES=$GLIBC_TUNABLES:glibc.malloc.mmap_threshold=65536:glibc.malloc.trim_threshold=65536
[ -x "$build/conformance-server" ] || ninja -C "$build" --quiet conformance-server || exit 1
serve_start "$out/features.log" "$build/conformance-server" --http 127.0.0.1:0 --unix "$socket" || exit 1
features_pid=$serve_pid
features="$build/conformance-server,$serve_pid,$serve_url,$socket"
if ! serve_start "$out/plan.log" "$build/tenon" serve plan --http 127.0.0.1:0; then
	kill "$features_pid"
	exit 1
fi
unset GLIBC_TUNABLES
stage soak python3 tests/soak/soak.py "${SOAK_SECONDS:-600}" "$features" \
	"$serve_url,$serve_token,$serve_pid"
expect soak 'plan is alive afterwards' kill -0 "$serve_pid"
expect soak 'plan ends in order' serve_stop
serve_pid=$features_pid
expect soak 'features is alive afterwards' kill -0 "$serve_pid"
expect soak 'features ends in order' serve_stop
results_end
