# results.sh - sourced by every script that checks something: counts what really ran.
#
# One line per check goes to the file $TENON_RESULTS: passed|failed <tab> suite <tab> name <tab> why.
# Whoever finds the variable unset starts the file, and prints the sum when done.

results_begin() {
	results_owner=
	results_before=0
	if [ -z "${TENON_RESULTS:-}" ]; then
		results_owner=1
		TENON_RESULTS=$(mktemp)
		export TENON_RESULTS
	fi
	results_before=$(results_count failed)
}

# result passed|failed SUITE NAME [WHY]
result() {
	printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$(printf '%s' "${4:-}" | tr '\t\n' '  ' | cut -c 1-400)" \
		>>"$TENON_RESULTS"
	[ "$1" = passed ] || printf 'FAILED %s: %s: %s\n' "$2" "$3" "${4:-}" >&2
}

# expect SUITE NAME COMMAND... : passed when the command exits 0.
expect() {
	expect_suite=$1
	expect_name=$2
	shift 2
	if "$@"; then
		result passed "$expect_suite" "$expect_name"
	else
		result failed "$expect_suite" "$expect_name" "exit $?"
	fi
}

results_count() {
	awk -F '\t' -v what="$1" '$1 == what { n++ } END { print n + 0 }' "$TENON_RESULTS"
}

# stage NAME COMMAND... : a script that reports its own results. One that fails without saying
# what, or that checks nothing, is itself a failure.
stage() {
	stage_name=$1
	shift
	stage_passed=$(results_count passed)
	stage_failed=$(results_count failed)
	stage_start=$(date +%s)
	printf '== %s\n' "$stage_name"
	stage_code=0
	"$@" </dev/null || stage_code=$?
	stage_passed=$(($(results_count passed) - stage_passed))
	stage_failed=$(($(results_count failed) - stage_failed))
	if [ "$stage_code" != 0 ] && [ "$stage_failed" = 0 ]; then
		result failed "$stage_name" 'the script itself' "exit $stage_code"
	elif [ $((stage_passed + stage_failed)) = 0 ]; then
		result failed "$stage_name" 'the script itself' 'nothing was checked'
	fi
	printf '== %s: %s passed, %s failed, %s s\n' "$stage_name" "$stage_passed" "$stage_failed" \
		"$(($(date +%s) - stage_start))"
}

# Prints the sum once, for the owner; false if anything failed since results_begin, or nothing ran.
results_end() {
	results_passed=$(results_count passed)
	results_failed=$(results_count failed)
	if [ -n "$results_owner" ]; then
		awk -F '\t' '$1 == "failed" { print "failed: " $2 ": " $3 ($4 == "" ? "" : ": " $4) }' \
			"$TENON_RESULTS"
		printf '%s passed, %s failed\n' "$results_passed" "$results_failed"
		rm -f "$TENON_RESULTS"
	fi
	[ "$results_failed" = "$results_before" ] && [ "$results_passed" != 0 ]
}
