# shellcheck shell=bash
# rows_relay.sh - sourced by run.sh: rows about tenon mcp with a daemon up.

# A daemon of its own on processor 0, found as every other is: in the runtime folder.
relay_home=$work/relay-home
relay_env=(env "XDG_RUNTIME_DIR=$relay_home" "XDG_CONFIG_HOME=$relay_home/config"
	"XDG_STATE_HOME=$relay_home/state" "HOME=$relay_home" TENON_HTTP_PORT=17777)

relay_daemon() {
	mkdir -p "$relay_home/config" "$relay_home/state" && chmod 700 "$relay_home"
	launch 0 "${relay_env[@]}" "$build/tenond" --daemon
	for _ in $(seq 500); do
		[ ! -e "$relay_home/tenon/tenond.json" ] || return 0
		kill -0 "$server_pid" 2>/dev/null || break
		sleep 0.02
	done
	echo 'bench: the daemon did not start' >&2
	cat "$work/server.log" >&2
	exit 1
}

# Host, relay and daemon share a processor: what is measured is work, not waking.
bench_relay_start() {
	wants 'first tools/list of a fresh relay' 'memory of that relay, resident' || return 0
	relay_daemon
	for _ in $(seq "$rounds"); do
		ours=$(run "${relay_env[@]}" "$bin/startup_bench" --runs $((200 / scale)) -- \
			"$build/tenon" mcp) || exit 1
		theirs=$(run "$bin/startup_bench" --runs $((200 / scale)) --era raw -- \
			"$bin/stdio_raw_reference" 300) || exit 1
		for name in median_us rss_kib; do
			keep relay-start $name "$ours"
			keep relay-start.reference $name "$theirs"
		done
	done
	unserve
	time_row 'first tools/list of a fresh relay' relay-start '<=' 2.0 median_us
	mb=$(ratio "$(figure relay-start rss_kib)" 1000)
	row 'memory of that relay, resident' "$(ratio "$(figure relay-start.reference rss_kib)" 1000) MB" \
		"$mb MB" "$mb" '<=' 2.5
}

# keep_as LABEL NAME FIGURE: under another name than the program's.
keep_as() {
	printf '%s\n' "$3" >>"$work/$1.$2"
}

# relay_calls LABEL IN-FLIGHT: the same server directly over WebSocket, as many connections with one call
# each, and through one relay. One call at a time: all on one processor. More: the server alone on its own.
relay_calls() {
	cpu=0
	[ "$2" = 1 ] || cpu=1
	for _ in $(seq "$rounds"); do
		serve 0 "$build/bench-server" http 0
		line=$(run "$bin/link_load" --ws "$port" --count $((10000 / scale)) --connections "$2" \
			--load-cpu $cpu) || exit 1
		keep "$1.direct" calls_per_s "$line"
		keep_as "$1.direct" median_us "$(value p50_us "$line")"
		line=$(TENON_BRIDGE_PORT=$port TENON_BRIDGE_TOKEN=none run "$bin/stdio_load" --era modern \
			--calls $((10000 / scale)) --inflight "$2" --cpu $cpu --load-cpu $cpu -- \
			"$build/tenon" mcp) || exit 1
		keep "$1" calls_per_s "$line"
		keep "$1" median_us "$line"
		unserve
	done
}

# One at a time there is the median of the calls besides, which a busy machine does not change much.
bench_relay_calls() {
	for many in 1 16 64; do
		title="calls through a relay, $many at a time (of WebSocket)"
		wants "$title" || continue
		relay_calls relay-$many $many
		calls_row "$title" relay-$many '>=' 0.5 relay-$many.direct
		[ $many != 1 ] || time_row 'the median of those' relay-1 '<=' 2.0 median_us relay-1.direct
	done
}

# What five servers of five hosts would cost is one process here: its memory with every app on.
bench_daemon_idle() {
	wants 'daemon with all apps, idle' || return 0
	relay_daemon
	sleep 1
	mb=$(awk '/^VmRSS:/ { printf "%.1f", $2 / 1000 }' "/proc/$server_pid/status")
	unserve
	row 'daemon with all apps, idle' - "$mb MB" "$mb" '<=' 24
}

bench_relay() {
	bench_daemon_idle
	bench_relay_start
	bench_relay_calls
}
