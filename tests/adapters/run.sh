#!/usr/bin/env bash
# run.sh [PART...] - the adapters of previewed pages, the launcher and the evaluator (docs/adapters.md), all parts or these
# (units, pages, demo): without a daemon, against the host of tests/adapters/kit. What needs Node, packages or Chromium is
# skipped with a reason where they are missing.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
if ! tools/adapters.sh; then
	result skipped adapters everything 'the adapters were not built: Node or the packages of web/ are missing'
	results_end
	exit
fi
node=tools/node.sh
# Both lanes of the demo, from their lock files.
for lane in harbour harbour-legacy; do
	[ ! -d "demo/$lane" ] || tools/packages.py "demo/$lane" ||
		result skipped "adapters-$lane" 'the packages' 'the registry is not reachable'
done

units() {
	for name in units instrument evaluator; do
		stage "adapters-$name" "$node" "tests/adapters/$name.mjs"
	done
}

pages() {
	for name in dom hook forms hostile; do
		stage "adapters-$name" "$node" "tests/adapters/$name.mjs"
	done
}

demo() {
	for lane in harbour harbour-legacy; do
		stage "adapters-$lane" "$node" tests/adapters/demo.mjs "$lane"
	done
}

for part in ${*:-units pages demo}; do
	"$part"
done
results_end
