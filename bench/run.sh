#!/usr/bin/env bash
# run.sh - every row of ARCHITECTURE section 8 that exists by now, and what issue 3 adds, as ratios
# inside one run.
#
#     bench/run.sh [--record]       BENCH_QUICK=1: a tenth of the calls, one round (for CI: does it run?)
#                                   BENCH_ONLY=TEXT: the rows with this in their title
#
# Server alone on processor 0, load on processor 1; both on processor 0 where latency is measured. Each
# figure is the median of BENCH_ROUNDS runs, reference and ours in turn. A run in which a reference costs
# more or less processor time a call than reference.tsv says, by more than 10 %, is invalid: the machine
# was busy, or is another one. --record writes that file for this machine.
set -u
cd "$(dirname "$0")/.." || exit 1
build=${TENON_BUILD:-$PWD/build}
bin=$build/bench
recorded=bench/reference.tsv
rounds=${BENCH_ROUNDS:-5}
scale=1
record=
[ "${1:-}" != --record ] || record=1
if [ -n "${BENCH_QUICK:-}" ]; then
	rounds=1
	scale=10
fi
work=$(mktemp -d) || exit 1
server_pid=
finish() {
	[ -z "$server_pid" ] || kill "$server_pid" 2>/dev/null
	rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM
ulimit -n 16384 2>/dev/null || ulimit -n "$(ulimit -Hn)"

for program in "$build/tiny-server" "$build/bench-server" "$build/tenon" "$build/tenond" \
	"$bin/stdio_load" "$bin/startup_bench" \
	"$bin/idle_streams" "$bin/stdio_raw_reference" "$bin/fanout_raw_reference" \
	"$bin/http_load" "$bin/http_raw_reference" "$bin/link_load"; do
	[ -x "$program" ] || { echo "bench: $program is missing; run make build" >&2 && exit 1; }
done

machine="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors, Linux $(uname -r)"
failed=0
invalid=0

. bench/figures.sh
. bench/rows_http.sh
. bench/rows_stdio.sh
. bench/rows_streams.sh
. bench/rows_sdk.sh
. bench/rows_relay.sh
. bench/rows_studio.sh
. bench/rows_terminal.sh

# ---- the plan parser: absolute, as plan.md section 17 asks ----

bench_plan() {
	wants 'plan parser, ' || return 0
	ninja -C "$build" bench/plan_parse_bench >/dev/null 2>&1 || {
		echo 'plan_parse_bench does not build'
		failed=$((failed + 1))
		return
	}
	"$bin/plan_parse_bench" 10 "$rounds" >"$work/plan"
	# The kind has twelve columns and may hold a space.
	while IFS= read -r line; do
		kind=${line:0:12}
		read -r rate must _ <<<"${line:12}"
		[ "${kind%% *}" = kind ] || row "plan parser, ${kind%"${kind##*[! ]}"}, MB/s on 10 MB" - "$rate" \
			"$rate" '>=' "$must"
	done <"$work/plan"
}

# ---- all of it ----

printf '%s\n' "$machine"
printf '%-46s %14s %14s %9s  %-9s %s\n' row reference ours ratio must verdict
bench_http
bench_stdio
bench_start
bench_http_growth
bench_streams
bench_ten_thousand
bench_many_tools
bench_ws
bench_unix
bench_relay
bench_sdk
bench_plan
bench_studio
bench_terminal

if [ -n "$record" ]; then
	cp "$work/recorded" "$recorded"
	echo "recorded in $recorded"
fi
if [ "$invalid" -gt 0 ]; then
	echo 'This run is invalid: quote none of its figures.'
	[ -n "${BENCH_QUICK:-}" ] || exit 3
fi
echo "$failed rows fall short"
[ "$failed" = 0 ] || [ -n "${BENCH_QUICK:-}" ]
