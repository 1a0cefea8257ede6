#!/usr/bin/env bash
# run.sh - every row of ARCHITECTURE section 8 that exists by now, as ratios inside one run.
#
#     bench/run.sh [--record]       BENCH_QUICK=1: a tenth of the calls, one round (for CI: does it run?)
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
ulimit -n 8192 2>/dev/null || ulimit -n "$(ulimit -Hn)"

for program in "$build/tiny-server" "$build/bench-server" "$bin/stdio_load" "$bin/startup_bench" \
	"$bin/idle_streams" "$bin/stdio_raw_reference" "$bin/fanout_raw_reference" \
	"$bin/http_load" "$bin/http_raw_reference"; do
	[ -x "$program" ] || { echo "bench: $program is missing; run make build" >&2 && exit 1; }
done

machine="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors, Linux $(uname -r)"
failed=0
invalid=0

# ---- figures ----

# value NAME LINE: the figure NAME of a line "name=value name=value".
value() {
	printf '%s\n' "$2" | tr ' ' '\n' | sed -n "s/^$1=//p"
}

# median FILE: of one number a line.
median() {
	sort -n "$1" | awk '{ v[NR] = $1 } END { if (NR) print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

# keep LABEL NAME LINE: adds the figure to those of LABEL.
keep() {
	value "$2" "$3" >>"$work/$1.$2"
}

figure() {
	median "$work/$1.$2"
}

ratio() {
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", (b == 0) ? 0 : a / b }'
}

# row WHAT REFERENCE OURS RATIO SIGN MUST: SIGN is >= or <=.
row() {
	verdict=$(awk -v r="$4" -v m="$6" -v s="$5" \
		'BEGIN { print ((s == ">=" && r + 0 >= m + 0) || (s == "<=" && r + 0 <= m + 0)) ? "ok" : "SHORT" }')
	[ "$verdict" = ok ] || failed=$((failed + 1))
	printf '%-46s %14s %14s %9s  %s %-6s %s\n' "$1" "$2" "$3" "$4" "$5" "$6" "$verdict"
}

# steady NAME CPU_US: compares a reference's processor time a call with what stands in reference.tsv.
steady() {
	if [ -n "$record" ]; then
		printf '%s\t%s\t%s\n' "$1" "$2" "$machine" >>"$work/recorded"
		return
	fi
	was=$(awk -F '\t' -v n="$1" '$1 == n { print $2 }' "$recorded" 2>/dev/null)
	off=$(awk -v a="$2" -v b="${was:-0}" \
		'BEGIN { if (b == 0) print "unknown"; else printf "%+.0f %%", (a / b - 1) * 100 }')
	if [ "$off" = unknown ] ||
		awk -v a="$2" -v b="$was" 'BEGIN { exit !(a > b * 1.1 || a < b * 0.9) }'; then
		invalid=$((invalid + 1))
		printf 'INVALID: %s costs %s us a call, recorded %s (%s)\n' "$1" "$2" "${was:-nothing}" "$off"
	fi
}

# ---- servers in the background ----

# serve CPU COMMAND...: starts it on that processor and waits for its port.
serve() {
	cpu=$1
	shift
	: >"$work/server.log" # or the last server's port would be read from it
	taskset -c "$cpu" "$@" 2>"$work/server.log" >/dev/null </dev/null &
	server_pid=$!
	for _ in $(seq 200); do
		port=$(sed -n 's/^listening on .*:\([0-9]*\)\/.*/\1/p' "$work/server.log")
		[ -z "$port" ] || return 0
		kill -0 "$server_pid" 2>/dev/null || break
		sleep 0.02
	done
	echo "bench: $* did not start" >&2
	cat "$work/server.log" >&2
	exit 1
}

unserve() {
	kill "$server_pid" && wait "$server_pid"
	server_pid=
}

run() {
	"$@" 2>>"$work/errors" || {
		echo "bench: failed: $*" >&2
		tail -n 3 "$work/errors" >&2
		exit 1
	}
}

# ---- stdio ----

# stdio LABEL CALLS SERVER-OPTIONS LOAD-OPTION...: ours, and a reference with answers of the same size, in
# turn.
stdio() {
	label=$1
	calls=$(($2 / scale))
	server_options=$3
	shift 3
	for _ in $(seq "$rounds"); do
		# shellcheck disable=SC2086 # the server's options are words
		ours=$(run "$bin/stdio_load" --calls "$calls" "$@" -- "$build/bench-server" stdio $server_options) || exit 1
		lines=$(value pages "$ours")
		size=$(($(value answer_bytes "$ours") / lines))
		theirs=$(run "$bin/stdio_load" --era raw --lines "$lines" --calls "$calls" "$@" -- \
			"$bin/stdio_raw_reference" "$size") || exit 1
		for name in calls_per_s median_us p99_us cpu_us growth_kib; do
			keep "$label" $name "$ours"
			keep "$label.reference" $name "$theirs"
		done
	done
}

calls_row() {
	ours=$(figure "$2" calls_per_s)
	theirs=$(figure "$2.reference" calls_per_s)
	row "$1" "$theirs/s" "$ours/s" "$(ratio "$ours" "$theirs")" '>=' "$3"
}

time_row() {
	ours=$(figure "$2" "$4")
	theirs=$(figure "$2.reference" "$4")
	row "$1" "$theirs us" "$ours us" "$(ratio "$ours" "$theirs")" '<=' "$3"
}

bench_stdio() {
	blob='"name":"blob","arguments":{"bytes":1000000}'
	stdio stdio-one 100000 '' --load-cpu 0
	calls_row 'stdio, one call at a time' stdio-one 0.60
	stdio stdio-one-modern 100000 '' --load-cpu 0 --era modern
	calls_row '  the same, 2026-07-28' stdio-one-modern 0.60
	stdio stdio-64 500000 '' --inflight 64
	calls_row 'stdio, 64 in flight' stdio-64 0.40
	stdio stdio-64-modern 500000 '' --inflight 64 --era modern
	calls_row '  the same, 2026-07-28' stdio-64-modern 0.40
	stdio stdio-blob 1000 '' --warmup 50 --params "$blob"
	time_row 'a 1 MB text result, stdio' stdio-blob 1.6 median_us
	# Only this one: with 64 in flight the reference's cost depends on how many requests happen to come
	# in one read, and 1 MB on what else uses the memory.
	steady stdio-one "$(figure stdio-one.reference cpu_us)"
	row 'growth over 100,000 calls, stdio' '0 KiB' "$(figure stdio-one growth_kib) KiB" \
		"$(figure stdio-one growth_kib)" '<=' 64
}

bench_many_tools() {
	stdio list-1000 2000 '--tools 1000' --warmup 50 --load-cpu 0 --method tools/list --params '' --pages 1
	time_row 'tools/list of 1,000 tools' list-1000 2.0 median_us
	for _ in $(seq "$rounds"); do
		for many in 10 10000; do
			line=$(run "$bin/stdio_load" --calls $((200000 / scale)) --load-cpu 0 --params \
				"\"name\":\"tool_$(printf %05d $((many - 1)))\",\"arguments\":{\"message\":\"hello\"}" \
				-- "$build/bench-server" stdio --tools "$many") || exit 1
			keep "among-$many" calls_per_s "$line"
		done
	done
	few=$(figure among-10 calls_per_s)
	many=$(figure among-10000 calls_per_s)
	row 'a call among 10,000 tools (of one among 10)' "$few/s" "$many/s" "$(ratio "$many" "$few")" '>=' 0.95
}

bench_start() {
	for _ in $(seq "$rounds"); do
		ours=$(run "$bin/startup_bench" --runs $((200 / scale)) -- "$build/tiny-server") || exit 1
		theirs=$(run "$bin/startup_bench" --runs $((200 / scale)) --era raw -- \
			"$bin/stdio_raw_reference" 300) || exit 1
		for name in median_us rss_kib pss_kib; do
			keep start $name "$ours"
			keep start.reference $name "$theirs"
		done
	done
	time_row 'first tools/list of a fresh process' start 1.6 median_us
	for name in rss:2.2:resident pss:0.7:proportional; do
		IFS=: read -r field must word <<<"$name"
		ours=$(ratio "$(figure start "${field}_kib")" 1000)
		theirs=$(ratio "$(figure start.reference "${field}_kib")" 1000)
		row "memory of that process, $word" "$theirs MB" "$ours MB" "$ours" '<=' "$must"
	done
}

# ---- HTTP ----

# request FILE ACCEPT TOOL ARGUMENTS: a whole modern call, as it goes over the wire.
request() {
	body='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"'$3'","arguments":'$4
	body=$body',"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
	body=$body'"io.modelcontextprotocol/clientCapabilities":{}}}}'
	printf 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nContent-Type: application/json\r\nAccept: %s\r\n' \
		"$port" "$2" >"$1"
	printf 'MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: %s\r\n' "$3" >>"$1"
	printf 'Content-Length: %s\r\n\r\n%s' "${#body}" "$body" >>"$1"
}

# http LABEL KIND LOAD-OPTION...: one run against the server in the background.
http() {
	label=$1
	shift
	line=$(run "$bin/http_load" --port "$port" --pid "$server_pid" "$@") || exit 1
	for name in calls_per_s p50_us server_cpu_us_per_call bytes_per_answer; do
		keep "$label" $name "$line"
	done
}

both='application/json, text/event-stream'

bench_http_rounds() {
	count=$((200000 / scale))
	for _ in $(seq "$rounds"); do
		serve 0 "$build/bench-server" http 0
		request "$work/echo" "$both" echo '{"message":"hello"}'
		request "$work/sse" text/event-stream echo '{"message":"hello"}'
		request "$work/blob" "$both" blob '{"bytes":1000000}'
		http http-16 --request "$work/echo" --connections 16 --count $count
		http http-64 --request "$work/echo" --connections 64 --count $count
		http http-sse --request "$work/sse" --connections 16 --count $count
		http http-16 --request "$work/echo" --connections 16 --count $count
		http http-blob --request "$work/blob" --connections 1 --count $((1000 / scale))
		unserve
		serve 0 "$bin/http_raw_reference" --body "$(body_like http-16)"
		http http-16.reference --request "$work/echo" --connections 16 --count $count
		http http-64.reference --request "$work/echo" --connections 64 --count $count
		unserve
		serve 0 "$bin/http_raw_reference" --body "$(body_like http-blob)"
		http http-blob.reference --request "$work/blob" --connections 1 --count $((1000 / scale))
		unserve
	done
}

# The body with which the reference's answer has as many bytes as ours.
body_like() {
	awk -v bytes="$(figure "$1" bytes_per_answer)" -v head="$reference_head" \
		'BEGIN { printf "%d", bytes - head }'
}

bench_http() {
	serve 0 "$bin/http_raw_reference" --body 128
	request "$work/echo" "$both" echo '{"message":"hello"}'
	http head --request "$work/echo" --connections 1 --count 100
	reference_head=$(awk -v bytes="$(figure head bytes_per_answer)" 'BEGIN { printf "%d", bytes - 128 }')
	unserve
	bench_http_rounds
	calls_row 'HTTP calls/s, 16 connections' http-16 0.55
	calls_row 'HTTP calls/s, 64 connections' http-64 0.55
	time_row 'a 1 MB text result, HTTP' http-blob 2.2 p50_us
	json=$(figure http-16 calls_per_s)
	sse=$(figure http-sse calls_per_s)
	row 'an SSE-framed answer (of our JSON answer)' "$json/s" "$sse/s" "$(ratio "$json" "$sse")" '<=' 1.25
	steady http-16 "$(figure http-16.reference server_cpu_us_per_call)"
	steady http-64 "$(figure http-64.reference server_cpu_us_per_call)"
}

resident() {
	awk '/^Rss:/ { print $2 }' "/proc/$server_pid/smaps_rollup"
}

bench_http_growth() {
	serve 0 "$build/bench-server" http 0
	request "$work/echo" "$both" echo '{"message":"hello"}'
	http growth --request "$work/echo" --connections 16 --count 2000
	before=$(resident)
	http growth --request "$work/echo" --connections 16 --count $((100000 / scale))
	growth=$(($(resident) - before))
	unserve
	row 'growth over 100,000 calls, HTTP' '0 KiB' "$growth KiB" "$growth" '<=' 64
}

# streams LABEL OPTION...: against the server in the background.
streams() {
	label=$1
	shift
	line=$(run "$bin/idle_streams" --port "$port" --pid "$server_pid" --rounds $((100 / scale)) "$@") || exit 1
	for name in bytes_each last_us; do
		keep "$label" $name "$line"
	done
}

bench_streams() {
	for _ in $(seq "$rounds"); do
		serve 0 "$build/bench-server" http 0
		streams streams --streams 1000
		unserve
		serve 0 "$build/bench-server" http 0
		streams streams-legacy --streams 1000 --era legacy
		unserve
		serve 0 "$bin/fanout_raw_reference"
		streams streams.reference --streams 1000
		unserve
	done
	each=$(figure streams bytes_each)
	row 'one idle stream' "$(figure streams.reference bytes_each) B" "$each B" "$each" '<=' 2048
	each=$(figure streams-legacy bytes_each)
	row 'one idle session with a stream (2025-11-25)' - "$each B" "$each" '<=' 2048
	time_row 'notification to 1,000 streams, the last' streams 1.3 last_us
}

# ---- the plan parser: absolute, as plan.md section 17 asks ----

bench_plan() {
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
bench_many_tools
bench_plan
printf 'Not measured: the daemon with all apps, and the relay (neither exists yet).\n'

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
