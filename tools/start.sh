#!/usr/bin/env bash
# start.sh - what "make start" shows: the daemon with a terminal in which something was run, a plan explained and
# under review, a floor plan, a diagram with a price and a problem, a front end's components, its page, and how an assistant is connected. A daemon that runs already is used as it is.
set -eu
cd "$(dirname "$0")/.."
tenon=$(realpath "${BUILD:-build}")/tenon
sample=tests/data/plan-examples/02-mixed-replace.txt
if [ -n "${PORT:-}" ]; then
	export TENON_HTTP_PORT=$PORT
fi

# Python is there: Meson needs it.
member() {
	python3 -c 'import functools, json, sys
print(functools.reduce(lambda value, key: value[int(key) if key.isdigit() else key], sys.argv[1].split("."),
                       json.load(sys.stdin)))' "$1"
}

# This starts the daemon, and comes before anything that talks to it: who has used the daemon as a client is no person any
# more. Whoever is not at a terminal, or started this in the background, asks for the page later.
page=$("$tenon" open --print 2>/dev/null) || page="$tenon open"
# A front end: its components, props and routes, for assistants. Opening a folder is a person's act, too.
opened=$("$tenon" workbench open demo/harbour --read 2>&1) || true
"$tenon" up
printf '\n$ tenon workbench open demo/harbour --read\n\n%s\n' "$opened"
printf '\n$ tenon call plan.terraform_explain plan_text=@%s user_preference=full_summary\n\n' "$sample"
plan=$("$tenon" call plan.terraform_explain "plan_text=@$sample" user_preference=full_summary --json)
printf '%s\n' "$plan" | member content.0.text
plan_id=$(printf '%s\n' "$plan" | member structuredContent.plan_id)
"$tenon" call plan.terraform_review "plan_id=$plan_id" 'marks:=@examples/demo-review.json' >/dev/null
# A session that everybody sees: three commands in the project itself, one of which fails.
session=$("$tenon" call terminal.create_session name=demo "cwd=$PWD" --json | member structuredContent.session.id)
run() {
	printf '\n$ tenon call terminal.execute_command command=%s\n\n' "'$1'"
	"$tenon" call terminal.execute_command "command=$1" "session_id=$session" --json | member content.0.text
}
run 'git log --oneline | head -3'
run 'ls examples'
run 'make no-such-target'
# A house, for everybody to change.
printf '\n$ tenon call floorplan.open_floorplan dsl=@%s\n\n' examples/house.floorplan
house=$("$tenon" call floorplan.open_floorplan dsl=@examples/house.floorplan --json |
	member structuredContent.document)
measures=$("$tenon" call floorplan.analyze_floorplan "document=$house" --json)
printf '%s rooms on %s floors\n' "$(printf '%s\n' "$measures" | member structuredContent.summary.totalRoomCount)" \
	"$(printf '%s\n' "$measures" | member structuredContent.summary.floorCount)"
# A diagram: three tiers, what they cost, and two subnets that want the same addresses.
# Projects lie below home (studio.roots); this is the one hidden folder in which the studio makes some.
demo=$HOME/.local/state/tenon/demo
printf '\n$ examples/build_diagram.py examples/three-tier.json %s\n\n' "$demo"
if [ -e "$demo/three-tier/studio.json" ]; then
	"$tenon" call studio.open_project "projectPath=$demo/three-tier" >/dev/null
	echo "$demo/three-tier is there from an earlier start: opened as it was left"
else
	mkdir -p "$demo"
	TENON=$tenon python3 examples/build_diagram.py examples/three-tier.json "$demo"
	subnet=$("$tenon" call studio.list_resources text=snet-data --json | member structuredContent.resources.0.instanceId)
	"$tenon" call studio.update_resource "instanceId=$subnet" 'properties:={"address_prefixes":["10.20.1.0/24"]}' >/dev/null
fi
diagram=$("$tenon" call studio.get_project_config --json | member structuredContent.project.id)
status=$("$tenon" status --json)
url=$(printf '%s\n' "$status" | member url)

cat <<EOT

The daemon runs (make stop ends it). Everybody sees the same terminal, the same plans and their review:

  Page     $page
  Terminal $tenon terminal attach demo
  House    $tenon read floorplan://document/$house
  Diagram  $url/#/studio/$diagram on the page: ask an assistant to change it, and watch
  Shop     $tenon read skaffa://workspace/registry/index
  Script   $tenon read plan://plans
  URL      $url/mcp
  Token    $tenon token

Connect an assistant: $tenon install HOST
(claude-desktop, claude-code, vscode, cursor, cline, codex, gemini; --print only shows it),
or give any host the command "$tenon" with the argument "mcp".
EOT
