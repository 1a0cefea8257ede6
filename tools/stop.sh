#!/bin/sh
# stop.sh - ends the daemon of "make start", in order.
set -eu
tenon=$(dirname "$0")/../${BUILD:-build}/tenon
[ ! -x "$tenon" ] || exec "$tenon" down
