# shellcheck shell=bash
# rows_terminal.sh - sourced by run.sh: what a program prints on a PTY, through our reader and through a
# bare loop. Both have the whole machine: there are three processes at work, and the kernel's own.

# terminal_row TITLE LABEL OPTION...
terminal_row() {
	title=$1 label=$2
	shift 2
	wants "$title" || return 0
	line=$(run "$bin/pty_bench" --megabytes $((40 / scale)) --rounds $((rounds * 3)) "$@") || exit 1
	for name in bare_mb_s ours_mb_s ratio; do
		keep "$label" $name "$line"
	done
	row "$title" "$(figure "$label" bare_mb_s)" "$(figure "$label" ours_mb_s)" "$(figure "$label" ratio)" '>=' 0.80
}

bench_terminal() {
	wants 'a PTY through our reader, MB/s' 'the same into the spool, MB/s' || return 0
	ninja -C "$build" bench/pty_bench >/dev/null 2>&1 || {
		echo 'pty_bench does not build'
		failed=$((failed + 1))
		return
	}
	terminal_row 'a PTY through our reader, MB/s' pty
	terminal_row 'the same into the spool, MB/s' pty-spool --spool "$work/spool"
}
