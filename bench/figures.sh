# shellcheck shell=bash
# figures.sh - sourced by run.sh: figures, rows and verdicts, and the servers in the background.

# ---- figures ----

# value NAME LINE: the figure NAME of a line "name=value name=value".
value() {
	printf '%s\n' "$2" | tr ' ' '\n' | sed -n "s/^$1=//p"
}

# median FILE: of one number a line.
median() {
	sort -n "$1" | awk '{ v[NR] = $1 } END { if (NR) print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

# keep LABEL NAME LINE: adds the figure to those of LABEL.
keep() {
	value "$2" "$3" >>"$work/$1.$2"
}

figure() {
	median "$work/$1.$2"
}

ratio() {
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", (b == 0) ? 0 : a / b }'
}

# wants TITLE...: whether one of these rows was asked for (BENCH_ONLY).
wants() {
	[ -n "${BENCH_ONLY:-}" ] || return 0
	for title in "$@"; do
		case $title in
		*"$BENCH_ONLY"*) return 0 ;;
		esac
	done
	return 1
}

# once FUNCTION: what several groups of rows need is measured once.
once() {
	[ ! -e "$work/$1.done" ] || return 0
	: >"$work/$1.done"
	"$1"
}

# row WHAT REFERENCE OURS RATIO SIGN MUST: SIGN is >= or <=, or - where nothing is promised.
row() {
	wants "$1" || return 0
	verdict=$(awk -v r="$4" -v m="$6" -v s="$5" 'BEGIN {
		if (s == "-") print "-"
		else print ((s == ">=" && r + 0 >= m + 0) || (s == "<=" && r + 0 <= m + 0)) ? "ok" : "SHORT" }')
	[ "$verdict" != SHORT ] || failed=$((failed + 1))
	printf '%-46s %14s %14s %9s  %2s %-6s %s\n' "$1" "$2" "$3" "$4" "$5" "$6" "$verdict"
}

# calls_row TITLE LABEL SIGN MUST [REFERENCE-LABEL]
calls_row() {
	ours=$(figure "$2" calls_per_s)
	theirs=$(figure "${5:-$2.reference}" calls_per_s)
	row "$1" "$theirs/s" "$ours/s" "$(ratio "$ours" "$theirs")" "$3" "$4"
}

# time_row TITLE LABEL SIGN MUST FIGURE [REFERENCE-LABEL]
time_row() {
	ours=$(figure "$2" "$5")
	theirs=$(figure "${6:-$2.reference}" "$5")
	row "$1" "$theirs us" "$ours us" "$(ratio "$ours" "$theirs")" "$3" "$4"
}

# steady NAME CPU_US: compares a reference's processor time a call with what stands in reference.tsv.
steady() {
	if [ -n "$record" ]; then
		printf '%s\t%s\t%s\n' "$1" "$2" "$machine" >>"$work/recorded"
		return
	fi
	was=$(awk -F '\t' -v n="$1" '$1 == n { print $2 }' "$recorded" 2>/dev/null)
	off=$(awk -v a="$2" -v b="${was:-0}" \
		'BEGIN { if (b == 0) print "unknown"; else printf "%+.0f %%", (a / b - 1) * 100 }')
	if [ "$off" = unknown ] ||
		awk -v a="$2" -v b="$was" 'BEGIN { exit !(a > b * 1.1 || a < b * 0.9) }'; then
		invalid=$((invalid + 1))
		printf 'INVALID: %s costs %s us a call, recorded %s (%s)\n' "$1" "$2" "${was:-nothing}" "$off"
	fi
}

# ---- programs ----

run() {
	"$@" 2>>"$work/errors" || {
		echo "bench: failed: $*" >&2
		tail -n 3 "$work/errors" >&2
		exit 1
	}
}

# launch CPU COMMAND...: in the background on that processor; its words are in server.log.
launch() {
	cpu=$1
	shift
	: >"$work/server.log" # or the last server's port would be read from it
	taskset -c "$cpu" "$@" 2>"$work/server.log" >/dev/null </dev/null &
	server_pid=$!
}

# serve CPU COMMAND...: launches it and waits for its port.
serve() {
	launch "$@"
	for _ in $(seq 500); do
		port=$(sed -n 's/^listening on .*:\([0-9]*\)\/.*/\1/p' "$work/server.log")
		[ -z "$port" ] || return 0
		kill -0 "$server_pid" 2>/dev/null || break
		sleep 0.02
	done
	echo "bench: $* did not start" >&2
	cat "$work/server.log" >&2
	exit 1
}

# serve_socket CPU PATH COMMAND...: launches it and waits for its socket.
serve_socket() {
	socket=$2
	launch "$1" "${@:3}"
	for _ in $(seq 500); do
		[ ! -S "$socket" ] || return 0
		kill -0 "$server_pid" 2>/dev/null || break
		sleep 0.02
	done
	echo "bench: ${*:3} did not start" >&2
	cat "$work/server.log" >&2
	exit 1
}

unserve() {
	kill "$server_pid" && wait "$server_pid"
	server_pid=
}

resident() {
	awk '/^Rss:/ { print $2 }' "/proc/$server_pid/smaps_rollup"
}
