# shellcheck shell=bash
# rows_streams.sh - sourced by run.sh: rows about open streams that are told of a change.

# streams LABEL OPTION...: against the server in the background.
streams() {
	label=$1
	shift
	line=$(run "$bin/idle_streams" --port "$port" --pid "$server_pid" "$@") || exit 1
	for name in bytes_each last_us; do
		keep "$label" $name "$line"
	done
}

bench_streams() {
	wants 'one idle stream' 'one idle session with a stream (2025-11-25)' \
		'notification to 1,000 streams, the last' || return 0
	for _ in $(seq "$rounds"); do
		serve 0 "$build/bench-server" http 0
		streams streams --streams 1000 --rounds $((100 / scale))
		unserve
		serve 0 "$build/bench-server" http 0
		streams streams-legacy --streams 1000 --era legacy --rounds $((100 / scale))
		unserve
		serve 0 "$bin/fanout_raw_reference"
		streams streams.reference --streams 1000 --rounds $((100 / scale))
		unserve
	done
	each=$(figure streams bytes_each)
	row 'one idle stream' "$(figure streams.reference bytes_each) B" "$each B" "$each" '<=' 2048
	each=$(figure streams-legacy bytes_each)
	row 'one idle session with a stream (2025-11-25)' - "$each B" "$each" '<=' 2048
	time_row 'notification to 1,000 streams, the last' streams '<=' 1.3 last_us
}

# With the limits raised, which is what --streams does.
bench_ten_thousand() {
	wants 'one of 10,000 idle streams' 'one of 10,000 idle sessions (2025-11-25)' \
		'notification to 10,000 streams, the last' || return 0
	if [ "$(ulimit -n)" -lt 10100 ]; then
		echo 'Not measured: 10,000 streams; the limit of open files is too low'
		return
	fi
	for _ in $(seq $(((rounds + 1) / 2))); do
		serve 0 "$build/bench-server" http 0 --streams 10100
		streams many --streams 10000 --rounds $((30 / scale))
		unserve
		serve 0 "$build/bench-server" http 0 --streams 10100
		streams many-legacy --streams 10000 --era legacy --rounds $((30 / scale))
		unserve
		serve 0 "$bin/fanout_raw_reference"
		streams many.reference --streams 10000 --rounds $((30 / scale))
		unserve
	done
	each=$(figure many bytes_each)
	row 'one of 10,000 idle streams' "$(figure many.reference bytes_each) B" "$each B" "$each" '<=' 2048
	each=$(figure many-legacy bytes_each)
	row 'one of 10,000 idle sessions (2025-11-25)' - "$each B" "$each" '<=' 2048
	time_row 'notification to 10,000 streams, the last' many '<=' 1.3 last_us
}
