# sanitizers.sh - sourced: one setting of the sanitizers for every program a test starts. Reports go
# to files, because a server in the background, or below a client of others, has no other voice.

sanitizers_on() {
	mkdir -p "$PWD/$1/reports"
	rm -f "$PWD/$1/reports/"*
	# The strict checks cost little; a leak is a failure like any other.
	ASAN_OPTIONS="detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1:exitcode=99"
	ASAN_OPTIONS="$ASAN_OPTIONS:allocator_may_return_null=1:log_path=$PWD/$1/reports/report:log_exe_name=1"
	UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1:log_path=$PWD/$1/reports/report:log_exe_name=1"
	LSAN_OPTIONS=report_objects=0
	export ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS
}

sanitizers_off() {
	unset ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS
}

sanitizers_check() {
	sanitizers_found=0
	for report in "$1/reports/"*; do
		[ -s "$report" ] || continue
		sanitizers_found=1
		sed -n 1,40p "$report" >&2
		result failed sanitizers "$(basename "$report")" \
			"$(grep -m 1 -E 'ERROR|runtime error|WARNING' "$report")"
	done
	[ "$sanitizers_found" = 1 ] || result passed sanitizers 'no report'
}
