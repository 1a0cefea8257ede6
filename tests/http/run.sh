#!/usr/bin/env bash
# run.sh - hostile bytes over HTTP against $TENON_BUILD/tenon, its options for the door, and each way in
# byte by byte.
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
expect http 'no token on another address is refused' \
	refuses --http 0.0.0.0:0 --no-token --allow-remote --host a.example
expect http 'a short token is refused' refuses --http 127.0.0.1:0 --token short
expect http 'a token file that is not there is refused' \
	refuses --http 127.0.0.1:0 --token-file "$out/nothing"
expect http 'a port that is no number is refused' refuses --http 127.0.0.1:many
expect http 'an unknown option is refused' refuses --http 127.0.0.1:0 --colour red
expect http 'a token without --http is refused' refuses --token 0123456789abcdef
expect http 'an origin without --http is refused' refuses --unix "$out/s" --origin https://app.example
expect http 'a token and --no-token are refused' \
	refuses --http 127.0.0.1:0 --no-token --token 0123456789abcdef
expect http 'nine listeners are refused' refuses $(printf ' --http 127.0.0.1:0%.0s' 1 2 3 4 5 6 7 8 9)
expect http 'a socket in a folder that is not there is refused' refuses --unix "$out/no/folder"

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

# Several ways at once, and what each is for.
if serve_start "$out/ways.log" "$build/tenon" serve plan --http 127.0.0.1:0 --http '[::1]:0' \
	--unix "$out/mcp.sock" --token ways-in-0123456789 --cors https://app.example \
	--host mcp.example --origin https://other.example; then
	expect http 'the token follows the first URL' [ "$(sed -n 2p "$serve_log")" = "token ways-in-0123456789" ]
	second=$(sed -n 's/^listening on //p' "$serve_log" | sed -n 2p)
	expect http 'the socket is told last' [ "$(tail -n 1 "$serve_log")" = "listening on unix:$out/mcp.sock" ]
	for url in "$serve_url" "$second"; do
		expect http "served: ${url%%:*}" curl -sf -g -o "$out/list.json" --max-time 20 \
			-H 'Authorization: Bearer ways-in-0123456789' -H 'Content-Type: application/json' \
			-d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' "$url"
	done
	status() {
		curl -s -o "$out/status.body" -w '%{http_code}' --max-time 20 "$@" "$serve_url"
	}
	expect http '--host' [ "$(status -H 'Host: mcp.example')" = 401 ]
	expect http 'and no other' [ "$(status -H 'Host: mcp.example.net')" = 403 ]
	expect http '--origin' [ "$(status -H 'Origin: https://other.example')" = 401 ]
	expect http '--cors' [ "$(status -X OPTIONS -H 'Origin: https://app.example' \
		-H 'Access-Control-Request-Method: POST')" = 204 ]
	expect http 'one signal ends all' serve_stop
	expect http 'the socket is gone' [ ! -e "$out/mcp.sock" ]
else
	result failed http 'several ways in'
fi
for part in sse ws unix doors streams ends together; do
	TENON_BUILD=$build stage "$part" python3 tests/http/$part.py
done

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
