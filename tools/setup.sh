#!/bin/sh
# setup.sh BUILD OPTION... - configures a build folder once; quiet unless Meson refuses.
set -eu
[ ! -f "$1/build.ninja" ] || exit 0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
rm -rf "$1/meson-private" "$1/meson-info" # of an attempt that failed
meson setup "$@" >"$log" 2>&1 || {
	cat "$log" >&2
	exit 1
}
