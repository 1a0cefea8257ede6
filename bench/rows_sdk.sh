# shellcheck shell=bash
# rows_sdk.sh - sourced by run.sh: beside the servers of the official TypeScript SDKs, as npm has them.
# The ratio is how many times as many calls we answer; they get the same calls, fewer of them.

node=tools/node.sh
sdk_rounds=$(((rounds + 1) / 2))

sdk_stdio() {
	for _ in $(seq "$sdk_rounds"); do
		for v in 1:legacy 2:modern; do
			IFS=: read -r sdk era <<<"$v"
			stdio_run "sdk$sdk-one" $((20000 / scale)) "$node" "bench/sdk_servers/echo_v$sdk.mjs" stdio -- \
				--load-cpu 0 --era "$era"
			stdio_run "sdk$sdk-64" $((50000 / scale)) "$node" "bench/sdk_servers/echo_v$sdk.mjs" stdio -- \
				--inflight 64 --era "$era"
		done
	done
}

sdk_http() {
	for _ in $(seq "$sdk_rounds"); do
		for sdk in 1 2; do
			serve 0 "$node" "bench/sdk_servers/echo_v$sdk.mjs" http
			if [ "$sdk" = 1 ]; then
				legacy_request "$work/sdk"
			else
				request "$work/sdk" "$both" echo '{"message":"hello"}'
			fi
			# Two seconds first: theirs is compiled while it runs.
			http "sdk$sdk-http-1" --warm-ms $((2000 / scale)) --request "$work/sdk" --connections 1 --count $((4000 / scale)) --load-cpu 0
			http "sdk$sdk-http-16" --request "$work/sdk" --connections 16 --count $((6000 / scale))
			http "sdk$sdk-http-64" --request "$work/sdk" --connections 64 --count $((6000 / scale))
			unserve
		done
	done
}

bench_sdk() {
	wants 'SDK 1, stdio, one call at a time' 'SDK 1, stdio, 64 in flight' 'SDK 2, stdio, one call at a time' \
		'SDK 2, stdio, 64 in flight' 'SDK 1, HTTP, 1' 'SDK 1, HTTP, 16' 'SDK 1, HTTP, 64' 'SDK 2, HTTP, 1' \
		'SDK 2, HTTP, 16' 'SDK 2, HTTP, 64' 'SDK 1, HTTP p99, 16' 'SDK 2, HTTP p99, 16' || return 0
	if ! tests/clients/install.sh >/dev/null 2>&1; then
		echo 'Not measured: the SDKs (tests/clients/install.sh fails)'
		failed=$((failed + 1))
		return
	fi
	for function in measure_stdio_one measure_stdio_one_modern measure_stdio_64 measure_stdio_64_modern \
		measure_http sdk_stdio sdk_http; do
		once $function
	done
	calls_row 'SDK 1, stdio, one call at a time' stdio-one '>=' 1 sdk1-one
	calls_row 'SDK 1, stdio, 64 in flight' stdio-64 '>=' 1 sdk1-64
	calls_row 'SDK 2, stdio, one call at a time' stdio-one-modern '>=' 1 sdk2-one
	calls_row 'SDK 2, stdio, 64 in flight' stdio-64-modern '>=' 1 sdk2-64
	for sdk in 1 2; do
		for count in 1 16 64; do
			calls_row "SDK $sdk, HTTP, $count connections" "http-$count" '>=' 1 "sdk$sdk-http-$count"
			time_row "SDK $sdk, HTTP p99, $count connections" "http-$count" '<=' 1 p99_us \
				"sdk$sdk-http-$count"
		done
	done
}
