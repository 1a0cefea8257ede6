# shellcheck shell=bash
# rows_stdio.sh - sourced by run.sh: rows about one client on standard input and output.

# stdio_one_side LABEL CALLS COMMAND... -- LOAD-OPTION...: one run; the line is left in $line.
stdio_run() {
	label=$1
	calls=$2
	shift 2
	command=()
	while [ "$1" != -- ]; do
		command+=("$1")
		shift
	done
	shift
	line=$(run "$bin/stdio_load" --calls "$calls" "$@" -- "${command[@]}") || exit 1
	for name in calls_per_s median_us p99_us cpu_us growth_kib; do
		keep "$label" $name "$line"
	done
}

# stdio LABEL CALLS SERVER-OPTIONS LOAD-OPTION...: ours, and a reference with answers of the same size, in
# turn.
stdio() {
	what=$1
	count=$(($2 / scale))
	read -r -a server_options <<<"$3"
	shift 3
	for _ in $(seq "$rounds"); do
		stdio_run "$what" "$count" "$build/bench-server" stdio "${server_options[@]}" -- "$@"
		lines=$(value pages "$line")
		size=$(($(value answer_bytes "$line") / lines))
		stdio_run "$what.reference" "$count" "$bin/stdio_raw_reference" "$size" -- \
			--era raw --lines "$lines" "$@"
	done
}

measure_stdio_one() {
	stdio stdio-one 100000 '' --load-cpu 0
}

measure_stdio_one_modern() {
	stdio stdio-one-modern 100000 '' --load-cpu 0 --era modern
}

measure_stdio_64() {
	stdio stdio-64 500000 '' --inflight 64
}

measure_stdio_64_modern() {
	stdio stdio-64-modern 500000 '' --inflight 64 --era modern
}

# stdio_rows TITLE FUNCTION LABEL MUST: calls a second, and the slowest of a hundred.
stdio_rows() {
	wants "$1" "$1, p99" || return 0
	once "$2"
	calls_row "$1" "$3" '>=' "$4"
	time_row "$1, p99" "$3" - - p99_us
}

bench_stdio() {
	stdio_rows 'stdio, one call at a time' measure_stdio_one stdio-one 0.60
	stdio_rows 'stdio, one at a time, 2026-07-28' measure_stdio_one_modern stdio-one-modern 0.60
	if wants 'stdio, 16 in flight' 'stdio, 16 in flight, p99'; then
		stdio stdio-16 300000 '' --inflight 16
		calls_row 'stdio, 16 in flight' stdio-16 - -
		time_row 'stdio, 16 in flight, p99' stdio-16 - - p99_us
	fi
	stdio_rows 'stdio, 64 in flight' measure_stdio_64 stdio-64 0.40
	stdio_rows 'stdio, 64 in flight, 2026-07-28' measure_stdio_64_modern stdio-64-modern 0.40
	if wants 'a 1 MB text result, stdio'; then
		stdio stdio-blob 1000 '' --warmup 50 --params '"name":"blob","arguments":{"bytes":1000000}'
		time_row 'a 1 MB text result, stdio' stdio-blob '<=' 1.6 median_us
	fi
	if wants 'growth over 100,000 calls, stdio'; then
		once measure_stdio_one
		growth=$(figure stdio-one growth_kib)
		row 'growth over 100,000 calls, stdio' '0 KiB' "$growth KiB" "$growth" '<=' 64
	fi
	if wants 'growth over 1,000,000 calls, stdio'; then
		stdio_run stdio-million $((1000000 / scale)) "$build/bench-server" stdio -- --inflight 64
		growth=$(figure stdio-million growth_kib)
		row 'growth over 1,000,000 calls, stdio' '0 KiB' "$growth KiB" "$growth" '<=' 64
	fi
	# Only this one: with 64 in flight the reference's cost depends on how many requests happen to come
	# in one read, and 1 MB on what else uses the memory.
	[ ! -e "$work/measure_stdio_one.done" ] || steady stdio-one "$(figure stdio-one.reference cpu_us)"
}

# list_row TOOLS CALLS SIGN MUST
list_row() {
	stdio "list-$1" "$2" "--tools $1" --warmup $((10 + 500 / $1)) --load-cpu 0 --method tools/list \
		--params '' --pages 1
	time_row "tools/list of $1 tools" "list-$1" "$3" "$4" median_us
}

bench_many_tools() {
	if wants 'tools/list of 10 tools' 'tools/list of 100 tools' 'tools/list of 1000 tools' \
		'tools/list of 10000 tools' 'time for a tool in a list: among 10,000 and 1,000'; then
		list_row 10 50000 - -
		list_row 100 20000 - -
		list_row 1000 2000 '<=' 2.0
		list_row 10000 300 - -
		few=$(awk -v us="$(figure list-1000 median_us)" 'BEGIN { printf "%.4f", us / 1000 }')
		many=$(awk -v us="$(figure list-10000 median_us)" 'BEGIN { printf "%.4f", us / 10000 }')
		row 'time for a tool in a list: 10,000 and 1,000' "$few us" "$many us" \
			"$(ratio "$many" "$few")" - -
	fi
	wants 'a call among 10,000 tools (of one among 10)' || return 0
	for _ in $(seq "$rounds"); do
		for many in 10 10000; do
			stdio_run "among-$many" $((200000 / scale)) "$build/bench-server" stdio --tools "$many" -- \
				--load-cpu 0 --params \
				"\"name\":\"tool_$(printf %05d $((many - 1)))\",\"arguments\":{\"message\":\"hello\"}"
		done
	done
	calls_row 'a call among 10,000 tools (of one among 10)' among-10000 '>=' 0.95 among-10
}

bench_start() {
	wants 'first tools/list of a fresh process' 'memory of that process, resident' \
		'memory of that process, proportional' || return 0
	for _ in $(seq "$rounds"); do
		ours=$(run "$bin/startup_bench" --runs $((200 / scale)) -- "$build/tiny-server") || exit 1
		theirs=$(run "$bin/startup_bench" --runs $((200 / scale)) --era raw -- \
			"$bin/stdio_raw_reference" 300) || exit 1
		for name in median_us rss_kib pss_kib; do
			keep start $name "$ours"
			keep start.reference $name "$theirs"
		done
	done
	time_row 'first tools/list of a fresh process' start '<=' 1.6 median_us
	for name in rss:2.2:resident pss:0.7:proportional; do
		IFS=: read -r field must word <<<"$name"
		ours=$(ratio "$(figure start "${field}_kib")" 1000)
		theirs=$(ratio "$(figure start.reference "${field}_kib")" 1000)
		row "memory of that process, $word" "$theirs MB" "$ours MB" "$ours" '<=' "$must"
	done
}
