#!/usr/bin/env bash
# run.sh - the programs as a shell sees them: words, exit codes, pipes, hostile lines on stdio.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
build=${TENON_BUILD:-$PWD/build}
out=$build/cli-test
rm -rf "$out"
mkdir -p "$out/run"
chmod 700 "$out/run"
export XDG_STATE_HOME=$out/state XDG_CONFIG_HOME=$out/config XDG_RUNTIME_DIR=$out/run
examples=tests/data/plan-examples

# exits CODE COMMAND...: standard output in $out/stdout, standard error in $out/stderr.
exits() {
	wanted=$1
	shift
	code=0
	timeout 60 "$@" >"$out/stdout" 2>"$out/stderr" || code=$?
	[ "$code" = "$wanted" ] && return 0
	echo "exit $code, not $wanted: $*" >&2
	head -c 400 "$out/stderr" >&2
	return 1
}
usage_on_stderr() { exits 1 "$@" && [ -s "$out/stderr" ] && [ ! -s "$out/stdout" ]; }

expect cli '--version' exits 0 "$build/tenon" --version
expect cli '--version names itself' grep -qx 'tenon [0-9.]*' "$out/stdout"
for word in -V version; do
	expect cli "$word" exits 0 "$build/tenon" "$word"
	expect cli "$word says the same" [ "$(cat "$out/stdout")" = "$("$build/tenon" --version)" ]
done
expect cli '--help' exits 0 "$build/tenon" --help
expect cli '--help is on stdout' [ -s "$out/stdout" ]
expect cli 'no verb' usage_on_stderr "$build/tenon"
expect cli 'unknown verb' usage_on_stderr "$build/tenon" dance
expect cli 'serve without an app' usage_on_stderr "$build/tenon" serve
expect cli 'serve an unknown app' usage_on_stderr "$build/tenon" serve cooking
expect cli 'works through a link elsewhere' sh -c "ln -sf '$build/tenon' '$out/tenon' &&
	'$out/tenon' --version >/dev/null"
# TENON is what the example of Atlantis and the README write.
expect cli 'a plan from a pipe' sh -c "cat $examples/02-mixed-replace.txt |
	'$build/tenon' plan explain --full | head -n 1 | grep -qx 'Summary: 7 changes'"
expect cli 'a pipe that nobody reads' sh -c "cat $examples/02-mixed-replace.txt |
	'$build/tenon' plan explain --full | true"
expect cli 'a plan stage leaves nothing behind' \
	[ -z "$(find "$out/run" "$out/state" "$out/config" -type f 2>/dev/null)" ]

# 100 MB are refused with a sentence, and the pipe before is not broken (plan.md section 13).
seq 1 15000000 | head -c 100000000 >"$out/large"
expect cli 'input of 100 MB is refused' exits 65 "$build/tenon" plan explain "$out/large"
expect cli 'and read to its end' sh -c "(cat '$out/large' && echo all >'$out/read') |
	'$build/tenon' plan explain >/dev/null 2>&1; [ -s '$out/read' ]"
rm -f "$out/large"
head -c 100000 /dev/urandom >"$out/random"
expect cli 'random bytes are no plan' exits 65 "$build/tenon" plan explain "$out/random"

# Every example, as README.md of the examples says.
stage cli-examples python3 tests/cli/examples.py "$build/tenon"
stage bad-stdio python3 tests/cli/bad_stdio.py "$build/tenon"
stage serve-words python3 tests/cli/serve_words.py "$build/tenon"
stage terminal-attach python3 tests/cli/terminal_attach.py "$build/tenon"
stage terminal-history python3 tests/cli/terminal_history.py "$build/tenon"
stage serve-terminal python3 tests/cli/serve_terminal.py "$build/tenon"

# The verbs against a daemon, in shells, and in the manual.
export TENON_BUILD=$build
stage settings-hold python3 tests/cli/settings_hold.py
stage daemon-cli python3 tests/cli/daemon_cli.py
stage completion python3 tests/cli/completion.py
stage man-pages python3 tests/cli/man_pages.py "$build/tenon"
results_end
