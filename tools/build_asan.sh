#!/bin/sh
# build_asan.sh [TARGET...] - build-asan/, or these programs of it: clang, address and undefined-behaviour sanitizers, with
# unit tests. Their library is a shared one, so that what is preloaded (tests/faults) stands before its allocator.
set -eu
cd "$(dirname "$0")/.."
. tools/results.sh
results_begin
CC='ccache clang' CC_LD=mold tools/setup.sh build-asan -Dtests=enabled \
	-Dbuildtype=custom -Ddebug=false -Doptimization=1 -Db_sanitize=address,undefined -Db_lundef=false \
	-Dc_args='-gline-tables-only -fno-omit-frame-pointer -fno-sanitize-recover=undefined' \
	-Dc_link_args="-shared-libasan -Wl,-rpath,$(clang -print-runtime-dir)"
# The compiler's memory in huge pages, where the machine has them: fewer first touches.
expect build 'clang with sanitizers' env GLIBC_TUNABLES=glibc.malloc.hugetlb=1 ninja -C build-asan --quiet "$@"
results_end
