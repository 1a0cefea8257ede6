#!/bin/sh
# stop.sh [--is-running] - ends the server of "make start", and only that: the process must have the
# number and the start time that were written down. --is-running only looks.
set -eu
cd "$(dirname "$0")/.."
run=${BUILD:-build}/run
file=$run/server.pid

start_time() {
	[ -r "/proc/$1/stat" ] && sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20
}

pid=
if [ -f "$file" ]; then
	read -r pid started <"$file"
	[ "$(start_time "$pid" || true)" = "$started" ] || pid=
fi
if [ "${1:-}" = --is-running ]; then
	[ -n "$pid" ]
	exit
fi
if [ -z "$pid" ]; then
	rm -f "$file"
	exit 0
fi
kill -TERM "$pid"
tries=0
while [ "$(start_time "$pid" || true)" = "$started" ] && [ $tries -lt 100 ]; do
	# A zombie has ended; its parent may not have looked yet.
	case $(sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null) in Z*) break ;; esac
	sleep 0.1
	tries=$((tries + 1))
done
if [ $tries = 100 ]; then
	echo "the server (pid $pid) does not end; kill -9 $pid would" >&2
	exit 1
fi
rm -f "$file"
echo "stopped (pid $pid)"
