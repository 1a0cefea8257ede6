#!/usr/bin/env bash
# inspector_ui.sh COMMAND... - MCP Apps: the Inspector finds the page of a tool and reads it (MCP-259,
# MCP-260, MCP-262).
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export MCP_INSPECTOR_SECRET_STORE=memory HOME=$work

timeout 120 tools/node.sh tests/clients/node_modules/.bin/mcp-inspector --cli "$@" \
	--method tools/list --app-info </dev/null >"$work/out" 2>&1
has() {
	grep -qF -- "$1" "$work/out" && return 0
	head -c 400 "$work/out" >&2
	return 1
}
expect inspector-ui 'a page, its type and its wishes' has \
	'"toolName":"test_ui_clock","resourceUri":"ui://tenon-conformance/clock.html","prefersBorder":true,"resourceMimeType":"text/html;profile=mcp-app"'
expect inspector-ui 'other tools have none' has '{"hasApp":false,"toolName":"greet"}'
results_end
