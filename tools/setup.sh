#!/bin/sh
# setup.sh BUILD OPTION... - configures a build folder: at first, after a configuration that failed, and when other
# options are asked for than the last time. What is not named keeps its value. Quiet unless Meson refuses.
set -eu
build=$1
asked=$build/.tenon-options
if [ -f "$build/build.ninja" ]; then
	[ "$(cat "$asked" 2>/dev/null)" != "$*" ] || exit 0
	again=--reconfigure
else
	again=
	rm -rf "$build/meson-private" "$build/meson-info" # of an attempt that failed
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # no word, or one
meson setup $again "$@" >"$log" 2>&1 || {
	cat "$log" >&2
	exit 1
}
printf '%s\n' "$*" >"$asked"
