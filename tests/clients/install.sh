#!/bin/sh
# install.sh [FOLDER] - what its package-lock.json names into its node_modules, once per lock file; without
# a folder Node 22 and the clients of this one.
# Install scripts of packages are not run: nothing here needs them.
set -eu
cd "${1:-$(dirname "$0")}"
want=$(cksum <package-lock.json)
[ "$(cat node_modules/.tenon-lock 2>/dev/null)" != "$want" ] || exit 0
for try in 1 2 3; do
	if npm ci --ignore-scripts --loglevel=error --no-progress </dev/null >&2; then
		printf '%s\n' "$want" >node_modules/.tenon-lock
		exit 0
	fi
	echo "npm ci failed (try $try of 3)" >&2
	sleep $((try * 3))
done
exit 1
