#!/usr/bin/env bash
# conversation.sh - an assistant's conversation with a terminal, in each shell, with the libraries of others: through
# a relay with a daemon, and in one process. TENON_LONG=1: the long job takes 70 s.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
build=${TENON_BUILD:-$PWD/build}
node=tools/node.sh
export NODE_NO_WARNINGS=1
top=$(mktemp -d)
# Nothing of the user's, neither settings nor start files of shells.
export HOME=$top/home XDG_STATE_HOME=$top/state XDG_CONFIG_HOME=$top/config XDG_RUNTIME_DIR=$top/run
export XDG_DATA_HOME=$top/data XDG_CACHE_HOME=$top/cache
mkdir -p "$HOME" "$XDG_STATE_HOME" "$XDG_CONFIG_HOME" "$XDG_RUNTIME_DIR" "$XDG_DATA_HOME" "$XDG_CACHE_HOME"
chmod 700 "$XDG_RUNTIME_DIR"
# Half lines and shells that kill themselves are tried here, not what is asked about first.
mkdir -p "$XDG_CONFIG_HOME/tenon"
echo '{"terminal": {"rules": [], "opaque": "allow", "hidden": "allow"}}' >"$XDG_CONFIG_HOME/tenon/policy.json"
export TENON_HTTP_PORT=$((20000 + $$ % 20000))

TENON_LANES=3 # they wait most of the time
talk() {
	beside stage "terminal-$1-$2" "$node" tests/terminal/conversation.mjs "$1" "$build/tenon" "${@:2}"
}
expect terminal-conversation 'the daemon starts' "$build/tenon" up
if "$build/tenon" status >/dev/null 2>&1; then
	talk sdk2-modern mcp terminal
	talk sdk2-legacy serve terminal
	talk sdk1 mcp terminal
	beside_end
	expect terminal-conversation 'the daemon ends' "$build/tenon" down
fi
rm -rf "$top"
results_end
