#!/usr/bin/env bash
# fuzz.sh [TARGET...] - each libFuzzer target (default: all) for FUZZ_SECONDS, from its corpus, as
# many at a time as there are processors. Prints executions and the line coverage of what corpus and
# finds together reach. A find is a failure; it stays in build-fuzz/finds.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/results.sh
results_begin
export FUZZ_SECONDS=${FUZZ_SECONDS:-60}
CC=clang tools/setup.sh build-fuzz -Dfuzz=true -Dtests=disabled -Dbuildtype=debugoptimized \
	-Db_lundef=false -Db_sanitize=address,undefined \
	-Dc_args='-fsanitize=fuzzer-no-link -fno-sanitize-recover=undefined -fno-omit-frame-pointer' ||
	exit 1
CC=clang tools/setup.sh build-fuzz-cover -Dtests=disabled -Dbuildtype=debugoptimized \
	-Db_lundef=false -Dc_args='-fprofile-instr-generate -fcoverage-mapping' \
	-Dc_link_args='-fprofile-instr-generate' || exit 1
expect fuzz 'programs' ninja -C build-fuzz --quiet
expect fuzz 'programs that measure' ninja -C build-fuzz-cover --quiet

# Meson knows the targets: a test of the suite fuzz-replay each, its argument is the corpus.
meson introspect build-fuzz --tests | python3 -c '
import json, sys
for test in json.load(sys.stdin):
    if any(suite.endswith("fuzz-replay") for suite in test["suite"]):
        print(test["name"], test["cmd"][-1])' |
	while read -r name corpus; do
		[ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
		printf '%s\n%s\n' "$name" "$corpus"
	done | xargs -r -n 2 -P "$(nproc)" tools/fuzz_one.sh
results_end
