#!/usr/bin/env bash
# hcl.sh - what the studio generates, checked by the reference parser and formatter of HCL (ST-152).
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
build=${TENON_BUILD:-$PWD/build}
expect studio-hcl 'Node is installed' tools/node.sh --fetch
expect studio-hcl 'the reference parser is installed' tools/packages.py tests/studio/hcl
stage studio-hcl tools/node.sh tests/studio/hcl/hcl_check.mjs "$build/tests/studio-variants" 300
stage studio-hcl tools/node.sh tests/studio/hcl/parse_check.mjs "$build/tests/studio-hcl-dump" tests/data/studio/hcl \
	tests/data/studio/import
results_end
