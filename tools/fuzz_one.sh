#!/usr/bin/env bash
# fuzz_one.sh NAME CORPUS - one target of fuzz.sh.
set -u
. tools/results.sh
results_begin
name=$1
corpus=$2
new=build-fuzz/new/$name
log=build-fuzz/$name.log
mkdir -p "$new" build-fuzz/finds

options=(-max_total_time="$FUZZ_SECONDS" -print_final_stats=1 -timeout=20 -rss_limit_mb=2048
	-max_len=65536 -artifact_prefix="build-fuzz/finds/$name-")
[ ! -f "fuzz/$name.dict" ] || options+=(-dict="fuzz/$name.dict")
code=0
"build-fuzz/fuzz/${name}_fuzz" "${options[@]}" "$new" "$corpus" >"$log" 2>&1 || code=$?
runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
if [ $code = 0 ] && [ "${runs:-0}" -gt 0 ]; then
	result passed fuzz "$name"
else
	result failed fuzz "$name" "exit $code $(grep -m 1 -E 'ERROR|runtime error|SUMMARY' "$log")"
	tail -n 40 "$log" >&2
fi

# How far it gets: lines of each source that is reached at all.
profile=build-fuzz-cover/$name
report=$(LLVM_PROFILE_FILE=$profile.raw "build-fuzz-cover/fuzz/${name}_replay" "$corpus" "$new" \
	>/dev/null 2>&1
	llvm-profdata merge -o "$profile.prof" "$profile.raw" &&
		llvm-cov report "build-fuzz-cover/fuzz/${name}_replay" -instr-profile "$profile.prof" |
		awk '$1 ~ /\.c$/ && $10 != "0.00%" && $1 !~ /replay_main|_fuzz\.c|base\// {
			printf "    %-40s %7s of %d lines\n", $1, $10, $8 }')
printf '%s: %s executions in %s s\n%s\n' "$name" "${runs:-0}" "$FUZZ_SECONDS" "$report"
results_end
