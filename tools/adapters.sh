#!/bin/sh
# adapters.sh - web/adapters/dist: the adapters for previewed pages, and the two programs that Node runs for tenond. Builds
# when a source has changed; otherwise it does nothing, fast.
set -eu
cd "$(dirname "$0")/.."
tools/web.sh install
exec 9>web/.lock
flock 9
stamp=$(find web/adapters web/package-lock.json -name dist -prune -o -type f -print | LC_ALL=C sort | xargs sha256sum | sha256sum)
[ "$(cat web/adapters/dist/.stamp 2>/dev/null)" != "$stamp" ] || exit 0
tools/node.sh web/adapters/build.mjs >&2
printf '%s\n' "$stamp" >web/adapters/dist/.stamp
