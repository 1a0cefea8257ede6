#!/usr/bin/env bash
# run.sh [PART...] - the page in a real browser against a real daemon, all parts or these (pages, canvas, hands): each page's
# main acts, by mouse and by keyboard alone, accessibility in both themes, and the pictures of docs/screenshots
# (TENON_SCREENSHOTS=docs/screenshots; otherwise they go to out/).
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
export TENON_BUILD=${TENON_BUILD:-$PWD/build}
if ! tools/web.sh install || ! tests/clients/install.sh; then
	result failed browser setup 'the tools of web/ were not installed'
	results_end
	exit 1
fi
node=tools/node.sh

pages() {
	stage web-units tests/browser/units.sh
	stage browser "$node" tests/browser/story.mjs
	for name in shared exposed moved terminal floorplan workbench workbench-seen; do
		stage "$name" "$node" "tests/browser/$name.mjs"
	done
}

# What the canvas shows and does.
canvas() {
	for name in canvas more import audit runs; do
		stage "studio-$name" "$node" "tests/browser/studio-$name.mjs"
	done
	# Pictures of everything, and of each again in other contrasts.
	[ -z "${TENON_PROOF:-}" ] || stage studio-look "$node" tests/browser/studio-look.mjs
}

# Who does it how, and how much of it.
hands() {
	for name in held keys touch form stale odd menu size large; do
		stage "studio-$name" "$node" "tests/browser/studio-$name.mjs"
	done
}

for part in ${*:-pages canvas hands}; do
	"$part"
done
results_end
