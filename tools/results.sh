# results.sh - sourced by every script that checks something: counts what really ran.
#
# One line per check goes to the file $TENON_RESULTS: passed|failed|skipped <tab> suite <tab> name <tab> why;
# and one per stage: took <tab> path of stages <tab> seconds <tab> seconds of processor time, without what it left behind.
# Whoever finds the variable unset starts the file, and prints the sum when done.

# A version manager's shim (pyenv) is a shell script of a hundred forks before python3 itself begins, and for a terminal a
# shell is in front of it: the machine's own programs are used.
PATH=$(printf '%s' "$PATH" | awk -v RS=: -v ORS= '!/\/shims$/ { print (n++ ? ":" : "") $0 }')
# Without it the compiler's cache runs the preprocessor first, for everything that it does not have.
CCACHE_DEPEND=1
export PATH CCACHE_DEPEND

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

# result passed|failed|skipped SUITE NAME [WHY]
result() {
	printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$(printf '%s' "${4:-}" | tr '\t\n' '  ' | cut -c 1-400)" \
		>>"$TENON_RESULTS"
	case $1 in
	failed) printf 'FAILED %s: %s: %s\n' "$2" "$3" "${4:-}" >&2 ;;
	skipped) printf 'skipped %s: %s: %s\n' "$2" "$3" "${4:-}" >&2 ;;
	esac
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
# what, or that checks nothing and does not say why, is itself a failure. After $TENON_UNTIL (seconds since 1970) none is
# begun: each is named as skipped.
stage() {
	if [ "$(date +%s)" -ge "${TENON_UNTIL:-99999999999}" ]; then
		result skipped "$1" 'the whole stage' 'the time for all of this was over: this machine is slow'
		return 0
	fi
	local stage_name=$1 stage_all=$TENON_RESULTS stage_code=0 stage_start stage_passed stage_failed
	shift
	# A file of its own: others may run beside it.
	local TENON_RESULTS
	TENON_RESULTS=$(mktemp)
	export TENON_RESULTS
	stage_start=$(date +%s)
	printf '== %s\n' "$stage_name"
	times >"$TENON_RESULTS.times"
	TENON_STAGES="${TENON_STAGES:-}/$stage_name" "$@" </dev/null || stage_code=$?
	times >>"$TENON_RESULTS.times"
	stage_passed=$(results_count passed)
	stage_failed=$(results_count failed)
	if [ "$stage_code" != 0 ] && [ "$stage_failed" = 0 ]; then
		result failed "$stage_name" 'the script itself' "exit $stage_code"
	elif [ $((stage_passed + stage_failed)) = 0 ] && [ "$(results_count skipped)" = 0 ]; then
		result failed "$stage_name" 'the script itself' 'nothing was checked'
	fi
	stage_start=$(($(date +%s) - stage_start))
	printf '== %s: %s passed, %s failed, %s s\n' "$stage_name" "$stage_passed" "$stage_failed" "$stage_start"
	printf 'took\t%s\t%s\t%s\n' "${TENON_STAGES:-}/$stage_name" "$stage_start" \
		"$(awk -F '[ms ]+' '{ n = $1 * 60 + $2 + $3 * 60 + $4; sum += NR > 2 ? n : -n } END { printf "%d", sum }' \
			"$TENON_RESULTS.times")" >>"$TENON_RESULTS"
	flock "$stage_all" cat "$TENON_RESULTS" >>"$stage_all"
	rm -f "$TENON_RESULTS" "$TENON_RESULTS.times"
}

# beside COMMAND... : a stage, beside those that were begun like this before it: TENON_LANES (3) at a time, because most
# wait more than they compute. What it prints is kept and shown whole when it has ended. beside_end waits for all.
beside() {
	beside_wait $((${TENON_LANES:-3} - 1))
	beside_ended=${beside_ended:-$(mktemp)}
	beside_begun="${beside_begun:-}$*
"
	(
		# What runs beside a shell would ignore Ctrl-C, and so would all that it starts.
		trap - INT QUIT
		beside_log=$(mktemp)
		TENON_LANES=2 beside_begun='' beside_ended='' "$@" >"$beside_log" 2>&1
		flock "$TENON_RESULTS" cat "$beside_log"
		rm -f "$beside_log"
		printf '%s\n' "$*" >>"$beside_ended"
	) &
	beside_running="${beside_running:-} $!"
}

# Until at most this many are left.
beside_wait() {
	while :; do
		beside_left=
		beside_count=0
		for beside_pid in ${beside_running:-}; do
			kill -0 "$beside_pid" 2>/dev/null || continue
			beside_left="$beside_left $beside_pid"
			beside_count=$((beside_count + 1))
		done
		beside_running=$beside_left
		[ "$beside_count" -gt "$1" ] || return 0
		# shellcheck disable=SC2086 # one word per process
		wait -n $beside_running 2>/dev/null || : # it may have just ended
	done
}

# One that was killed has said nothing of itself: it is missed here.
beside_end() {
	beside_wait 0
	while IFS= read -r beside_one; do
		[ -z "$beside_one" ] || grep -qxF -e "$beside_one" "$beside_ended" ||
			result failed "$beside_one" 'the stage itself' 'it never came to its end'
	done <<-END
		${beside_begun:-}
	END
	rm -f "${beside_ended:-}"
	beside_begun=
	beside_ended=
}

# The stages that took longest, with the ones that they are part of.
results_times() {
	awk -F '\t' '$1 == "took" && $3 >= 20 { printf "%5d s  %s, %d s of processor\n", $3, substr($2, 2), $4 }' "$TENON_RESULTS" |
		sort -rn | head -40
}

# Prints the sum once, for the owner; false if anything failed since results_begin, or nothing ran or was skipped.
results_end() {
	results_passed=$(results_count passed)
	results_failed=$(results_count failed)
	results_skipped=$(results_count skipped)
	if [ -n "$results_owner" ]; then
		results_times
		# What failed comes last, and short: of a long log it is the end that is kept. The whole stands where it happened.
		for results_kind in skipped failed; do
			awk -F '\t' -v kind="$results_kind" \
				'$1 == kind { print $1 ": " $2 ": " substr($3 ($4 == "" ? "" : ": " $4), 1, 160) }' "$TENON_RESULTS"
		done
		printf '%s passed, %s failed\n' "$results_passed" "$results_failed"
		rm -f "$TENON_RESULTS"
	fi
	[ "$results_failed" = "$results_before" ] && [ $((results_passed + results_skipped)) != 0 ]
}
