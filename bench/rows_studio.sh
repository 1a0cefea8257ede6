# shellcheck shell=bash
# rows_studio.sh - sourced by run.sh: studio's tools over stdio on 200 nodes and 300 edges, in milliseconds (absolute,
# as the issue asks), and how they grow to 1,000 nodes.

# studio_row NAME MUST_MS
studio_row() {
	row "studio $1, 200 nodes, ms" - "$(figure studio "$1")" "$(figure studio "$1")" '<=' "$2"
}

# n log n from 200 to 1,000 is 6.5 times.
studio_growth() {
	grown=$(ratio "$(figure studio-large "$1")" "$(figure studio "$1")")
	row "studio $1, 1,000 nodes against 200" "$(figure studio "$1")" "$(figure studio-large "$1")" "$grown" '<=' 6.5
}

bench_studio() {
	wants 'studio' || return 0
	line=$(run python3 bench/studio_stdio.py --build "$build" --rounds $((rounds * 4 + 1))) || exit 1
	large=$(run python3 bench/studio_stdio.py --build "$build" --nodes 1000 --edges 1500 \
		--rounds $((rounds * 4 + 1))) || exit 1
	for name in list_resources get_diagram validate_diagram estimate_costs update_resource add_resource undo_change \
		generate_hcl layout_diagram; do
		keep studio $name "$line"
		keep studio-large $name "$large"
	done
	studio_row list_resources 5
	studio_row get_diagram 5
	studio_row update_resource 10
	studio_row add_resource 10
	studio_row undo_change 10
	studio_row generate_hcl 50
	studio_row layout_diagram 100
	for name in get_diagram validate_diagram generate_hcl layout_diagram; do
		studio_growth $name
	done
}
