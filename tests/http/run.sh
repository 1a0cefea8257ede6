#!/usr/bin/env bash
# run.sh - hostile bytes over HTTP against $TENON_BUILD/tenon, and its options for the door.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
. tests/lib/serve.sh
results_begin
build=${TENON_BUILD:-$PWD/build}
out=$build/http
rm -rf "$out"
mkdir -p "$out/run"
chmod 700 "$out/run"
export XDG_STATE_HOME=$out XDG_CONFIG_HOME=$out XDG_RUNTIME_DIR=$out/run

# A start that must fail: with a sentence, not by a signal, and it may not go on to serve.
refuses() {
	timeout 10 "$build/tenon" serve plan "$@" </dev/null >"$out/refused.out" 2>"$out/refused"
	refused=$?
	[ $refused -gt 0 ] && [ $refused -lt 124 ] && [ -s "$out/refused" ] && [ ! -s "$out/refused.out" ]
}
expect http 'no token on another address is refused' refuses --http 0.0.0.0:0 --no-token
expect http 'a short token is refused' refuses --http 127.0.0.1:0 --token short
expect http 'a token file that is not there is refused' \
	refuses --http 127.0.0.1:0 --token-file "$out/nothing"
expect http 'a port that is no number is refused' refuses --http 127.0.0.1:many
expect http 'an unknown option is refused' refuses --http 127.0.0.1:0 --colour red

if serve_start "$out/open.log" "$build/tenon" serve plan --http 127.0.0.1:0 --no-token; then
	expect http '--no-token serves without one' curl -sf -o "$out/list.json" --max-time 20 \
		-H 'Content-Type: application/json' \
		-d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' "$serve_url"
	taken=${serve_url##*:}
	expect http 'a taken port is refused' refuses --http "127.0.0.1:${taken%%/*}" --no-token
	expect http 'ends in order' serve_stop
else
	result failed http '--no-token'
fi

printf 'token-from-a-file-0123456789\n' >"$out/token"
if serve_start "$out/server.log" "$build/tenon" serve plan --http 127.0.0.1:0 \
	--token-file "$out/token"; then
	expect http '--token-file' [ "$serve_token" = token-from-a-file-0123456789 ]
	expect http 'URL and token are the first two lines' [ "$(head -n 2 "$serve_log")" = \
		"listening on $serve_url
token $serve_token" ]
	stage bad-http python3 tests/http/bad_input.py "$serve_url" "$serve_token" "$serve_pid"
	expect http 'alive after all that' kill -0 "$serve_pid"
	expect http 'ends in order after all that' serve_stop
else
	result failed http '--token-file'
fi

if serve_start "$out/fresh.log" "$build/tenon" serve plan --http 127.0.0.1:0; then
	first=$serve_token
	expect http 'a fresh token has 256 bits' [ ${#first} -ge 43 ]
	serve_stop
	serve_start "$out/fresh.log" "$build/tenon" serve plan --http 127.0.0.1:0
	expect http 'and is another at each start' [ "$serve_token" != "$first" ]
	serve_stop
else
	result failed http 'a fresh token'
fi
results_end
