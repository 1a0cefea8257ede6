#!/usr/bin/env bash
# start.sh - what "make start" shows: a plan explained from a pipe, then a server in the background.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
run=$build/run
port=${PORT:-7777}
sample=tests/data/plan-examples/02-mixed-replace.txt
umask 077
mkdir -p "$run"

printf '$ cat %s | %s/tenon plan explain --full\n\n' "$sample" "$build"
"$build/tenon" plan explain --full <"$sample"
printf '\n'

if tools/stop.sh --is-running; then
	printf 'A server is running already (make stop ends it).\n'
else
	started=
	for _ in $(seq 20); do
		: >"$run/server.log" # nothing of an earlier server may look like this one
		# A session of its own: it must outlive make, and the terminal.
		setsid "$build/tenon" serve plan --http "127.0.0.1:$port" \
			</dev/null >/dev/null 2>"$run/server.log" &
		pid=$!
		for _ in $(seq 100); do
			if grep -q '^token ' "$run/server.log"; then
				started=1
				break
			fi
			kill -0 "$pid" 2>/dev/null || break
			sleep 0.05
		done
		[ -z "$started" ] || break
		if ! (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
			cat "$run/server.log" >&2
			kill "$pid" 2>/dev/null || true
			exit 1
		fi
		port=$((port + 1)) # somebody else listens there: the next one
	done
	[ -n "$started" ] || { echo "no free port from ${PORT:-7777} on" >&2 && exit 1; }
	# The start time makes the number ours for good: numbers are used again.
	printf '%s %s\n' "$pid" "$(sed 's/.*) //' "/proc/$pid/stat" | cut -d ' ' -f 20)" >"$run/server.pid"
fi

url=$(sed -n 's/^listening on //p' "$run/server.log")
token=$(sed -n 's/^token //p' "$run/server.log")
cat <<EOF
The plan server listens (make stop ends it, its log is $run/server.log):

  URL    $url
  token  $token

Connect an assistant:

  Claude Code   claude mcp add --transport http tenon-plan $url --header "Authorization: Bearer $token"

  VS Code       in .vscode/mcp.json
                {"servers": {"tenon-plan": {"type": "http", "url": "$url",
                  "headers": {"Authorization": "Bearer $token"}}}}

  Cursor        in .cursor/mcp.json
                {"mcpServers": {"tenon-plan": {"url": "$url",
                  "headers": {"Authorization": "Bearer $token"}}}}

Without a server, over stdio: the command is "$PWD/$build/tenon", its arguments "serve", "plan".
EOF
