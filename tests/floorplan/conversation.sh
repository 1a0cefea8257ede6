#!/usr/bin/env bash
# conversation.sh - an assistant's conversation about floor plans, with the libraries of others: through a relay with
# a daemon, and in one process.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
build=${TENON_BUILD:-$PWD/build}
node=tools/node.sh
export NODE_NO_WARNINGS=1
top=$(mktemp -d)
# Nothing of the user's; each kind has a daemon of its own.
export HOME=$top/home TENON_FLOORPLAN_ROOTS=$top/plans
mkdir -p "$HOME" "$TENON_FLOORPLAN_ROOTS"

own() {
	export XDG_STATE_HOME=$top/$1/state XDG_CONFIG_HOME=$top/$1/config XDG_RUNTIME_DIR=$top/$1/run
	export XDG_DATA_HOME=$top/$1/data XDG_CACHE_HOME=$top/$1/cache
	mkdir -p "$XDG_STATE_HOME" "$XDG_CONFIG_HOME" "$XDG_RUNTIME_DIR" "$XDG_DATA_HOME" "$XDG_CACHE_HOME"
	chmod 700 "$XDG_RUNTIME_DIR"
	export TENON_HTTP_PORT=$((20000 + ($$ + $2) % 20000))
}

with_daemon() {
	own "$1" "$2"
	expect "floorplan-$1" 'the daemon starts' "$build/tenon" up
	"$build/tenon" status >/dev/null 2>&1 || return 1
	stage "floorplan-$1-mcp" "$node" tests/floorplan/conversation.mjs "$1" yes "$build/tenon" mcp floorplan
	expect "floorplan-$1" 'the daemon ends' "$build/tenon" down
}

in_one_process() {
	own serve 13
	stage floorplan-sdk2-legacy-serve "$node" tests/floorplan/conversation.mjs sdk2-legacy no "$build/tenon" serve floorplan
}

TENON_LANES=3 # they wait most of the time
beside with_daemon sdk2-modern 11
beside with_daemon sdk1 12
beside in_one_process
beside_end
rm -rf "$top"
results_end
