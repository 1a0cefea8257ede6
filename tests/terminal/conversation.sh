#!/usr/bin/env bash
# conversation.sh - an assistant's conversation with a terminal, in each shell, with the libraries of others: through
# a relay with a daemon, and in one process. TENON_LONG=1: the long job takes 70 s.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
build=${TENON_BUILD:-$PWD/build}
node=tests/clients/node
export NODE_NO_WARNINGS=1
top=$(mktemp -d)
# Nothing of the user's, neither settings nor start files of shells.
export HOME=$top/home XDG_STATE_HOME=$top/state XDG_CONFIG_HOME=$top/config XDG_RUNTIME_DIR=$top/run
export XDG_DATA_HOME=$top/data XDG_CACHE_HOME=$top/cache
mkdir -p "$HOME" "$XDG_STATE_HOME" "$XDG_CONFIG_HOME" "$XDG_RUNTIME_DIR" "$XDG_DATA_HOME" "$XDG_CACHE_HOME"
chmod 700 "$XDG_RUNTIME_DIR"
export TENON_HTTP_PORT=$((20000 + $$ % 20000))

# The kinds side by side: most of the time they wait.
talk() {
	stage "terminal-$1-$2" "$node" tests/terminal/conversation.mjs "$1" "$build/tenon" "${@:2}"
}
expect terminal-conversation 'the daemon starts' "$build/tenon" up
if "$build/tenon" status >/dev/null 2>&1; then
	talk sdk2-modern mcp terminal &
	one=$!
	talk sdk2-legacy serve terminal &
	other=$!
	talk sdk1 mcp terminal
	wait "$one" "$other"
	expect terminal-conversation 'the daemon ends' "$build/tenon" down
fi
rm -rf "$top"
results_end
