#!/usr/bin/env bash
# inspector.sh stdio COMMAND... | http|sse URL TOKEN - the Inspector's command line lists and calls the
# plan tools in each era that the way in has.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
carrier=$1
shift
suite=interop-inspector-$carrier
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export MCP_INSPECTOR_SECRET_STORE=memory HOME=$work
inspector() {
	timeout 120 tools/node.sh tests/clients/node_modules/.bin/mcp-inspector --cli "$@" </dev/null
}

# The same server for each era: jq is not assumed, so the configuration is written by Node.
tools/node.sh - "$work/config.json" "$carrier" "$@" <<'JS'
const [, , file, carrier, ...rest] = process.argv;
const server = carrier === 'stdio'
  ? { type: 'stdio', command: rest[0], args: rest.slice(1), env: { ...process.env } }
  : { type: carrier, url: rest[0], headers: { Authorization: `Bearer ${rest[1]}` } };
const servers = {};
for (const era of ['legacy', 'auto', 'modern']) servers[era] = { ...server, protocolEra: era };
require('node:fs').writeFileSync(file, JSON.stringify({ mcpServers: servers }));
JS

plan=$(cat tests/data/plan-examples/01-small-create.txt)
says() { # says WORDS COMMAND...: the output holds these words
	words=$1
	shift
	"$@" >"$work/out" 2>"$work/err" && grep -qF -- "$words" "$work/out" && return 0
	head -c 600 "$work/out" "$work/err" >&2
	return 1
}

eras='legacy auto modern'
[ "$carrier" != sse ] || eras='legacy auto' # HTTP+SSE is of the older revisions
for era in $eras; do
	at=(--config "$work/config.json" --server "$era")
	expect "$suite" "$era: tools/list" says terraform_explain_best_of_n \
		inspector "${at[@]}" --method tools/list --format json
	expect "$suite" "$era: tools/call" says '"total_changes"' \
		inspector "${at[@]}" --method tools/call --tool-name terraform_parse \
		--tool-arg "plan_text=$plan" --format json
	expect "$suite" "$era: resources/templates/list" says 'plan://' \
		inspector "${at[@]}" --method resources/templates/list --format json
	expect "$suite" "$era: prompts/list" says explain_terraform_plan \
		inspector "${at[@]}" --method prompts/list --format json
done
# Exit 5 is the Inspector's word for a result with isError.
inspector --config "$work/config.json" --server legacy --method tools/call \
	--tool-name terraform_parse --tool-arg 'plan_text=no plan at all' --format json \
	>"$work/out" 2>&1
code=$?
expect "$suite" 'a tool error is exit 5' [ $code = 5 ]
expect "$suite" 'and says what it is' grep -q not_a_plan "$work/out"
results_end
