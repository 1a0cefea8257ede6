#!/bin/sh
# stop.sh - ends the daemon of "make start", in order.
set -eu
cd "$(dirname "$0")/.."
tenon=$(realpath "${BUILD:-build}")/tenon
[ ! -x "$tenon" ] || exec "$tenon" down
