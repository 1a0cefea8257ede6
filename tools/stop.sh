#!/bin/sh
# stop.sh - ends the daemon of "make start", in order.
set -eu
exec "$(dirname "$0")/../${BUILD:-build}/tenon" down
