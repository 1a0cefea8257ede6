#!/usr/bin/env bash
# our_client.sh - our client (build/client-story) against our server, servers made with SDK 1.x and
# 2.x, four ill-mannered kinds and a hostile one (build/client-hostile).
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
build=${TENON_BUILD:-$PWD/build}
node=$PWD/tools/node.sh
servers=$PWD/tests/servers
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export NODE_NO_WARNINGS=1

# story NAME MODE ERA WAY COMMAND...: the way in is also how the server is started.
story() {
	story_name=client-$1-$4-$2
	shift
	stage "$story_name" timeout 200 "$build/client-story" "$story_name" "$@"
}
plain() {
	story_name=client-$1-$4
	shift
	stage "$story_name" timeout 100 "$build/client-story" --plain "$story_name" "$@"
}

ours=$build/conformance-server
for mode in auto modern legacy; do
	era=$mode
	[ $mode != auto ] || era=modern
	story ours $mode $era stdio "$ours" --stdio
	story ours $mode $era http "$ours" --http ADDRESS
	story ours $mode $era ws "$ours" --http ADDRESS
	story ours $mode $era unix "$ours" --unix "$work/socket"
done
# HTTP+SSE is of the older revisions.
story ours auto legacy sse "$ours" --http ADDRESS
story ours legacy legacy sse "$ours" --http ADDRESS

for way in stdio http sse; do
	story sdk1 auto legacy $way "$node" "$servers/sdk1_server.mjs" $way ADDRESS
done
story sdk1 legacy legacy http "$node" "$servers/sdk1_server.mjs" http ADDRESS

for way in stdio http; do
	story sdk2-both auto modern $way "$node" "$servers/sdk2_server.mjs" both $way ADDRESS
	story sdk2-both legacy legacy $way "$node" "$servers/sdk2_server.mjs" both $way ADDRESS
	story sdk2-modern modern modern $way "$node" "$servers/sdk2_server.mjs" modern $way ADDRESS
done
story sdk2-legacy auto legacy http "$node" "$servers/sdk2_server.mjs" legacy http ADDRESS

for kind in exits silent says-no html; do
	for way in stdio http; do
		# Over HTTP silence says nothing about the era: an error, not a reason to fall back (MCP-061).
		case $kind-$way in exits-http | silent-http | html-stdio) continue ;; esac
		plain rude-$kind auto legacy $way "$node" "$servers/rude_server.mjs" $kind $way ADDRESS
	done
done

stage client-hostile timeout 400 "$build/client-hostile" "$node" "$servers/hostile_server.mjs"
results_end
