#!/usr/bin/env bash
# kept.sh - a plan that is open outlives its daemon, killed or ended: text, revisions, undo (floorplan.md 7.8).
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
build=${TENON_BUILD:-$PWD/build}
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
export HOME=$top/home XDG_STATE_HOME=$top/state XDG_CONFIG_HOME=$top/config XDG_RUNTIME_DIR=$top/run
export TENON_HTTP_PORT=$((20000 + ($$ + 37) % 20000)) TENON_FLOORPLAN_ROOTS=$top
mkdir -p "$HOME" "$XDG_RUNTIME_DIR"
chmod 700 "$XDG_RUNTIME_DIR"

ask() { "$build/tenon" call "floorplan.$1" "${@:2}" 2>&1; }
# field NAME < answer: the first value of it.
field() { sed -n "s/.*\"$1\": *\"\{0,1\}\([^\",}]*\).*/\1/p" | head -1; }
# holds NAME WORDS COMMAND...: its answer has the words.
holds() {
	local said
	said=$("${@:3}")
	if [[ $said == *"$2"* ]]; then
		result passed floorplan-kept "$1"
	else
		result failed floorplan-kept "$1" "$said"
	fi
}
daemon() { "$build/tenon" status --json 2>/dev/null | field pid; }
resize() {
	ask modify_floorplan "document=$plan" "operations=[{\"action\":\"resize_room\",\"target\":\"A\",\"params\":{\"width\":$1}}]"
}

expect floorplan-kept 'the daemon starts' "$build/tenon" up
printf 'floorplan floor G { room A at (0,0) size (4 x 3) }\n' >"$top/one.floorplan"
plan=$(ask open_floorplan "path=$top/one.floorplan" | field document)
holds 'a plan is opened' fpl_ echo "$plan"
for width in 5 6 7 8 9; do
	resize "$width" >"$top/log"
done
kill -9 "$(daemon)"
expect floorplan-kept 'another daemon starts' "$build/tenon" up
holds 'what was changed before the kill is there' 'size (9 x 3)' "$build/tenon" read "floorplan://document/$plan"
holds 'it can be undone' 'size (8 x 3)' ask undo_floorplan "document=$plan"
holds 'its path is known' '"revision": 7' ask save_floorplan "document=$plan"
holds 'the file has it' 'size (8 x 3)' cat "$top/one.floorplan"
expect floorplan-kept 'the daemon ends' "$build/tenon" down
expect floorplan-kept 'a third daemon starts' "$build/tenon" up
holds 'the same document, saved' '"changed": false' ask open_floorplan "path=$top/one.floorplan"
holds 'by the same handle' "$plan" ask open_floorplan "path=$top/one.floorplan"
holds 'redo goes on' 'size (9 x 3)' ask redo_floorplan "document=$plan"
expect floorplan-kept 'nobody else reads its files' test -z "$(find "$top/state/tenon/floorplan" -perm /077)"
expect floorplan-kept 'the daemon ends again' "$build/tenon" down
results_end
