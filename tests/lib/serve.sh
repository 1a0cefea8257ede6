# serve.sh - sourced: a server in the background for the length of a test.
#
# serve_start LOG COMMAND... sets serve_pid, serve_url and serve_token from the first lines on
# standard error ("listening on URL", "token T"). serve_stop ends it and is true if it ended well.

serve_start() {
	serve_log=$1
	shift
	: >"$serve_log"
	"$@" </dev/null >"$serve_log.out" 2>"$serve_log" &
	serve_pid=$!
	serve_url=
	serve_tries=0
	while [ $serve_tries -lt 300 ]; do
		serve_url=$(sed -n 's/^listening on //p' "$serve_log" | head -n 1)
		[ -z "$serve_url" ] || break
		kill -0 "$serve_pid" 2>/dev/null || break
		sleep 0.05
		serve_tries=$((serve_tries + 1))
	done
	if [ -z "$serve_url" ]; then
		echo "the server did not start: $*" >&2
		cat "$serve_log" >&2
		kill "$serve_pid" 2>/dev/null
		wait "$serve_pid" 2>/dev/null
		return 1
	fi
	serve_token=$(sed -n 's/^token //p' "$serve_log" | head -n 1)
}

# Ends by SIGTERM; a server that needs more than 10 s, or ends with an error, has failed.
serve_stop() {
	kill -TERM "$serve_pid" 2>/dev/null
	serve_tries=0
	while kill -0 "$serve_pid" 2>/dev/null && [ $serve_tries -lt 200 ]; do
		sleep 0.05
		serve_tries=$((serve_tries + 1))
	done
	if kill -9 "$serve_pid" 2>/dev/null; then
		echo "the server did not end within 10 s of SIGTERM" >&2
		wait "$serve_pid" 2>/dev/null
		return 1
	fi
	wait "$serve_pid"
}
