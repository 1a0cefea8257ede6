# shellcheck shell=bash
# rows_http.sh - sourced by run.sh: rows about HTTP, WebSocket and Unix sockets.

# post FILE ACCEPT HEADERS BODY: a whole POST, as it goes over the wire; HEADERS ends with CR LF.
post() {
	printf 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nContent-Type: application/json\r\nAccept: %s\r\n' \
		"$port" "$2" >"$1"
	printf '%b' "$3" >>"$1"
	printf 'Content-Length: %s\r\n\r\n%s' "${#4}" "$4" >>"$1"
}

# request FILE ACCEPT TOOL ARGUMENTS: a modern call.
request() {
	body='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"'$3'","arguments":'$4
	body=$body',"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
	body=$body'"io.modelcontextprotocol/clientCapabilities":{}}}}'
	post "$1" "$2" \
		"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: $3\r\n" "$body"
}

# legacy_request FILE: a call of echo as clients without a session send it.
legacy_request() {
	post "$1" "$both" 'MCP-Protocol-Version: 2025-11-25\r\n' \
		'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":"hello"}}}'
}

# http LABEL LOAD-OPTION...: one run against the server in the background.
http() {
	label=$1
	shift
	line=$(run "$bin/http_load" --port "$port" --pid "$server_pid" "$@" --warm-ms $((500 / scale))) || exit 1
	for name in calls_per_s p50_us p99_us server_cpu_us_per_call bytes_per_answer; do
		keep "$label" $name "$line"
	done
}

both='application/json, text/event-stream'

# One connection is about latency, so both sides share a processor.
http_three() {
	http "http-1$1" --request "$work/echo" --connections 1 --count $((60000 / scale)) --load-cpu 0
	http "http-16$1" --request "$work/echo" --connections 16 --count $((150000 / scale))
	http "http-64$1" --request "$work/echo" --connections 64 --count $((150000 / scale))
}

measure_http() {
	serve 0 "$bin/http_raw_reference" --body 128
	request "$work/echo" "$both" echo '{"message":"hello"}'
	http head --request "$work/echo" --connections 1 --count 100
	reference_head=$(awk -v bytes="$(figure head bytes_per_answer)" 'BEGIN { printf "%d", bytes - 128 }')
	unserve
	for _ in $(seq "$rounds"); do
		serve 0 "$build/bench-server" http 0
		request "$work/echo" "$both" echo '{"message":"hello"}'
		http_three ''
		unserve
		serve 0 "$bin/http_raw_reference" --body "$(body_like http-16)"
		request "$work/echo" "$both" echo '{"message":"hello"}'
		http_three .reference
		unserve
	done
}

# The body with which the reference's answer has as many bytes as ours.
body_like() {
	awk -v bytes="$(figure "$1" bytes_per_answer)" -v head="$reference_head" \
		'BEGIN { printf "%d", bytes - head }'
}

measure_http_blob() {
	for _ in $(seq "$rounds"); do
		serve 0 "$build/bench-server" http 0
		request "$work/blob" "$both" blob '{"bytes":1000000}'
		http http-blob --request "$work/blob" --connections 1 --count $((1000 / scale))
		unserve
		serve 0 "$bin/http_raw_reference" --body "$(body_like http-blob)"
		request "$work/blob" "$both" blob '{"bytes":1000000}'
		http http-blob.reference --request "$work/blob" --connections 1 --count $((1000 / scale))
		unserve
	done
}

measure_http_sse() {
	for _ in $(seq "$rounds"); do
		serve 0 "$build/bench-server" http 0
		request "$work/echo" "$both" echo '{"message":"hello"}'
		request "$work/sse" text/event-stream echo '{"message":"hello"}'
		http sse --request "$work/sse" --connections 16 --count $((150000 / scale))
		http json --request "$work/echo" --connections 16 --count $((150000 / scale))
		unserve
	done
}

bench_http() {
	if wants 'HTTP calls/s, 1 connection' 'HTTP calls/s, 16 connections' 'HTTP calls/s, 64 connections' \
		'HTTP p99, 1 connection' 'HTTP p99, 16 connections' 'HTTP p99, 64 connections'; then
		once measure_http
		calls_row 'HTTP calls/s, 1 connection' http-1 - -
		calls_row 'HTTP calls/s, 16 connections' http-16 '>=' 0.55
		calls_row 'HTTP calls/s, 64 connections' http-64 '>=' 0.55
		time_row 'HTTP p99, 1 connection' http-1 - - p99_us
		time_row 'HTTP p99, 16 connections' http-16 - - p99_us
		time_row 'HTTP p99, 64 connections' http-64 - - p99_us
		steady http-16 "$(figure http-16.reference server_cpu_us_per_call)"
		steady http-64 "$(figure http-64.reference server_cpu_us_per_call)"
	fi
	if wants 'a 1 MB text result, HTTP'; then
		[ -n "${reference_head:-}" ] || once measure_http
		measure_http_blob
		time_row 'a 1 MB text result, HTTP' http-blob '<=' 2.2 p50_us
	fi
	if wants 'an SSE-framed answer (of our JSON answer)'; then
		measure_http_sse
		json=$(figure json calls_per_s)
		sse=$(figure sse calls_per_s)
		row 'an SSE-framed answer (of our JSON answer)' "$json/s" "$sse/s" "$(ratio "$json" "$sse")" '<=' 1.25
	fi
}

# http_growth TITLE CALLS
http_growth() {
	wants "$1" || return 0
	serve 0 "$build/bench-server" http 0
	request "$work/echo" "$both" echo '{"message":"hello"}'
	http growth --request "$work/echo" --connections 16 --count 2000
	before=$(resident)
	http growth --request "$work/echo" --connections 16 --count $(($2 / scale))
	growth=$(($(resident) - before))
	unserve
	row "$1" '0 KiB' "$growth KiB" "$growth" '<=' 64
}

bench_http_growth() {
	http_growth 'growth over 100,000 calls, HTTP' 100000
	http_growth 'growth over 1,000,000 calls, HTTP' 1000000
}

# ---- connections that stay ----

# link LABEL LOAD-OPTION...
link() {
	label=$1
	shift
	line=$(run "$bin/link_load" --count $((150000 / scale)) "$@") || exit 1
	for name in calls_per_s p99_us answer_bytes; do
		keep "$label" $name "$line"
	done
}

bench_ws() {
	wants 'WebSocket calls/s, 16 (of HTTP reference)' 'WebSocket calls/s, 64 (of HTTP reference)' \
		'WebSocket p99, 16 (of HTTP reference)' || return 0
	once measure_http
	for _ in $(seq "$rounds"); do
		serve 0 "$build/bench-server" http 0
		link ws-16 --ws "$port" --connections 16
		link ws-64 --ws "$port" --connections 64
		unserve
	done
	calls_row 'WebSocket calls/s, 16 (of HTTP reference)' ws-16 - - http-16.reference
	calls_row 'WebSocket calls/s, 64 (of HTTP reference)' ws-64 - - http-64.reference
	time_row 'WebSocket p99, 16 (of HTTP reference)' ws-16 - - p99_us http-16.reference
}

bench_unix() {
	wants 'Unix socket calls/s, 1 connection' 'Unix socket calls/s, 16 connections' \
		'Unix socket p99, 16 connections' || return 0
	for _ in $(seq "$rounds"); do
		serve_socket 0 "$work/ours.sock" "$build/bench-server" unix "$work/ours.sock"
		link unix-1 --unix "$work/ours.sock" --connections 1 --load-cpu 0
		link unix-16 --unix "$work/ours.sock" --connections 16
		size=$(value answer_bytes "$line")
		unserve
		serve_socket 0 "$work/raw.sock" "$bin/stdio_raw_reference" "$size" "$work/raw.sock"
		link unix-1.reference --unix "$work/raw.sock" --connections 1 --load-cpu 0 --raw 1
		link unix-16.reference --unix "$work/raw.sock" --connections 16 --raw 1
		unserve
		rm -f "$work/raw.sock"
	done
	calls_row 'Unix socket calls/s, 1 connection' unix-1 - -
	calls_row 'Unix socket calls/s, 16 connections' unix-16 - -
	time_row 'Unix socket p99, 16 connections' unix-16 - - p99_us
}
