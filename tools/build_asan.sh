#!/bin/sh
# build_asan.sh - build-asan/: clang, address and undefined-behaviour sanitizers, with unit tests.
set -eu
cd "$(dirname "$0")/.."
. tools/results.sh
results_begin
CC=clang tools/setup.sh build-asan -Dtests=enabled \
	-Dbuildtype=debugoptimized -Db_sanitize=address,undefined -Db_lundef=false \
	-Dc_args='-fno-omit-frame-pointer -fno-sanitize-recover=undefined'
expect build 'clang with sanitizers' ninja -C build-asan --quiet
results_end
