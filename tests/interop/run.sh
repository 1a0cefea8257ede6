#!/usr/bin/env bash
# run.sh - clients that others wrote against our servers, and our client against servers that others
# wrote (our_client.sh), side by side: much of it is waiting.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
. tests/lib/serve.sh
results_begin
build=${TENON_BUILD:-$PWD/build}
out=$build/interop
rm -rf "$out"
mkdir -p "$out/state"
# Nothing of the user's: history and settings live below the build folder.
export XDG_STATE_HOME=$out/state XDG_CONFIG_HOME=$out/config XDG_RUNTIME_DIR=$out/run
mkdir -p "$XDG_RUNTIME_DIR" "$XDG_CONFIG_HOME"
chmod 700 "$XDG_RUNTIME_DIR"
node=tools/node.sh
export NODE_NO_WARNINGS=1
token=interop-0123456789abcdef

beside stage our-client tests/interop/our_client.sh

for kind in sdk1 sdk2-modern sdk2-auto sdk2-legacy; do
	stage "interop-$kind-stdio" "$node" tests/clients/plan_story.mjs "$kind" stdio \
		"$build/tenon" serve plan
done
stage interop-inspector-stdio tests/interop/inspector.sh stdio "$build/tenon" serve plan
stage inspector-ui tests/interop/inspector_ui.sh "$build/conformance-server" --stdio

# Which client knows which way in: WebSocket is SDK 1.x's alone, HTTP+SSE is of the older revisions.
for way in stdio http sse ws; do
	for kind in sdk1 sdk2-modern sdk2-auto sdk2-legacy; do
		case $way-$kind in ws-sdk2* | sse-sdk2-modern) continue ;; esac
		if [ "$way" = stdio ]; then set -- --stdio; else set --; fi
		stage "features-$kind-$way" "$node" tests/clients/feature_story.mjs "$kind" "$way" \
			"$build/conformance-server" "$@"
	done
done

stage tasks-sdk1-stdio "$node" tests/clients/task_story.mjs stdio "$build/conformance-server" --stdio
stage tasks-sdk1-http "$node" tests/clients/task_story.mjs http "$build/conformance-server"
stage tasks-extension "$node" tests/clients/task_extension_story.mjs "$build/conformance-server"

if serve_start "$out/server.log" "$build/tenon" serve plan --http 127.0.0.1:0 --token "$token"; then
	expect interop 'the token given is the token used' [ "$serve_token" = "$token" ]
	for kind in sdk1 sdk2-modern sdk2-auto sdk2-legacy; do
		stage "interop-$kind-http" "$node" tests/clients/plan_story.mjs "$kind" http \
			"$serve_url" "$token"
	done
	stage interop-inspector-http tests/interop/inspector.sh http "$serve_url" "$token"
	stage interop-inspector-sse tests/interop/inspector.sh sse "${serve_url%/mcp*}/sse" "$token"
	expect interop 'the server is alive afterwards' kill -0 "$serve_pid"
	expect interop 'the server ends in order' serve_stop
else
	result failed interop 'tenon serve plan --http'
fi

# Every app, in every profile of a host.
mkdir -p "$out/root"
if serve_start "$out/fit.log" "$build/tenon" serve terminal plan floorplan studio --root "$out/root" \
	--http 127.0.0.1:0 --token "$token"; then
	stage interop-fit "$node" tests/clients/fit_story.mjs "$serve_url" "$token"
	expect interop 'the server of every app is alive afterwards' kill -0 "$serve_pid"
	expect interop 'the server of every app ends in order' serve_stop
else
	result failed interop 'tenon serve of every app'
fi

beside_end
results_end
