#!/usr/bin/env bash
# run.sh - tenon mcp between others' clients and a daemon: conversations, a bridge that goes away, ends,
# kills. RELAY_ROUNDS=200 for the soak.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
. tests/lib/serve.sh
results_begin
build=${TENON_BUILD:-$PWD/build}
export TENON_BUILD=$build
out=$build/relay
rm -rf "$out"
mkdir -p "$out/run"
chmod 700 "$out/run"

for part in loss ends live; do
	stage "relay-$part" python3 tests/relay/$part.py
done

# Every feature through the relay, with the libraries of others: what they are told must not differ from
# what they are told on a server's own pipe.
node=tools/node.sh
export NODE_NO_WARNINGS=1 TENON_BRIDGE_TOKEN=relay-0123456789abcdef
if [ -x "$node" ]; then
	for kind in sdk1 sdk2-modern sdk2-auto sdk2-legacy; do
		if serve_start "$out/$kind.log" "$build/conformance-server" --http 127.0.0.1:0 \
			--token "host=$TENON_BRIDGE_TOKEN"; then
			port=${serve_url##*:}
			export TENON_BRIDGE_PORT=${port%%/*}
			stage "relay-features-$kind" "$node" tests/clients/feature_story.mjs "$kind" stdio \
				"$build/tenon" mcp
			expect relay "the server behind it ends in order ($kind)" serve_stop
		else
			result failed relay "a server for $kind"
		fi
	done
fi
results_end
