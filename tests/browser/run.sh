#!/usr/bin/env bash
# run.sh - the page in a real browser against a real daemon: each page's main acts, by mouse and by
# keyboard alone, accessibility in both themes, and the pictures of docs/screenshots
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
stage web-units tests/browser/units.sh
node=tools/node.sh
stage browser "$node" tests/browser/story.mjs
stage shared "$node" tests/browser/shared.mjs
stage exposed "$node" tests/browser/exposed.mjs
stage moved "$node" tests/browser/moved.mjs
stage terminal "$node" tests/browser/terminal.mjs
stage floorplan "$node" tests/browser/floorplan.mjs
stage studio-canvas "$node" tests/browser/studio-canvas.mjs
stage studio-more "$node" tests/browser/studio-more.mjs
stage studio-audit "$node" tests/browser/studio-audit.mjs
stage studio-runs "$node" tests/browser/studio-runs.mjs
stage studio-held "$node" tests/browser/studio-held.mjs
stage studio-keys "$node" tests/browser/studio-keys.mjs
stage studio-touch "$node" tests/browser/studio-touch.mjs
# Pictures of everything, and of each again in other contrasts.
[ -z "${TENON_PROOF:-}" ] || stage studio-look "$node" tests/browser/studio-look.mjs
stage studio-form "$node" tests/browser/studio-form.mjs
stage studio-stale "$node" tests/browser/studio-stale.mjs
stage studio-odd "$node" tests/browser/studio-odd.mjs
stage studio-large "$node" tests/browser/studio-large.mjs
results_end
