#!/usr/bin/env bash
# run.sh - the official conformance suite against $TENON_BUILD/conformance-server and
# conformance-client, each revision; the server's also in every profile of a host (hosts.md HO-002).
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
. tests/lib/serve.sh
results_begin
build=${TENON_BUILD:-$PWD/build}
out=$build/conformance
rm -rf "$out"
mkdir -p "$out"

serve_start "$out/server.log" "$build/conformance-server" --http 127.0.0.1:0 || exit 1
tools/node.sh tests/conformance/run.mjs server "$serve_url" "$out"
code=$?
for fit in text structured image-alone; do
	mkdir -p "$out/$fit"
	TENON_FIT=$fit NODE_OPTIONS="--import=$PWD/tests/conformance/fit.mjs" \
		tools/node.sh tests/conformance/run.mjs server "$serve_url" "$out/$fit" || code=1
done
expect conformance 'the server is alive afterwards' kill -0 "$serve_pid"
expect conformance 'the server ends in order' serve_stop
[ $code = 0 ] || tail -n 5 "$out/server.log" >&2
tools/node.sh tests/conformance/run.mjs client "$build/conformance-client" "$out" || code=1
results_end && [ $code = 0 ]
