#!/bin/sh
# plan_cli.sh - tenon plan as a shell and CI see it: every exit code, every option, every layout.
#
# TENON is the program, FAKE_LLM the endpoint of tests/servers/fake_llm.c. Prints one line a test, as
# cmocka does. Runs in a session of its own, so that nothing can ask on a developer's terminal.
set -u
cd "$(dirname "$0")/../.." || exit 1
if [ "${PLAN_CLI_SESSION:-}" != own ]; then
	PLAN_CLI_SESSION=own
	export PLAN_CLI_SESSION
	exec setsid --wait "$0" "$@"
fi
: "${TENON:?the path of tenon}" "${FAKE_LLM:?the path of fake-llm}"
examples=tests/data/plan-examples
tmp=$(mktemp -d)
export XDG_STATE_HOME="$tmp/state" XDG_CONFIG_HOME="$tmp/config"
unset OPENAI_API_KEY OPENAI_BASE_URL NO_COLOR
failures=0
llm_in=

finish() {
	[ -z "$llm_in" ] || exec 9>&- # the end of its input ends the endpoint
	rm -rf "$tmp"
}
trap finish EXIT

# ok NAME COMMAND...: one test, passed when the command succeeds.
ok() {
	name=$(printf '%s' "$1" | tr -c 'A-Za-z0-9\n' '_')
	shift
	if "$@"; then
		printf '[       OK ] %s\n' "$name"
	else
		printf '[  FAILED  ] %s\n' "$name"
		echo "    $*" >&2
		[ ! -s "$tmp/err" ] || sed 's/^/    stderr: /' "$tmp/err" | head -n 5 >&2
		[ ! -s "$tmp/out" ] || sed 's/^/    stdout: /' "$tmp/out" | head -n 5 >&2
		failures=$((failures + 1))
	fi
}
plan() { timeout 60 "$TENON" plan "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; }
# exits CODE WORDS...: the exit code of `tenon plan WORDS`.
exits() {
	wanted=$1
	shift
	plan "$@"
	code=$?
	[ $code = "$wanted" ] || { echo "    exit $code, not $wanted" >&2 && false; }
}
# piped FILE CODE WORDS...: the same with FILE on standard input, through a real pipe.
piped() {
	file=$1 wanted=$2
	shift 2
	cat "$file" | (
		timeout 60 "$TENON" plan "$@" >"$tmp/out" 2>"$tmp/err"
		echo $? >"$tmp/code"
	)
	[ "$(cat "$tmp/code")" = "$wanted" ]
}
out_is() { printf '%s\n' "$1" | cmp -s - "$tmp/out"; }
out_has() { grep -qF -- "$1" "$tmp/out"; }
err_has() { grep -qF -- "$1" "$tmp/err"; }
out_empty() { [ ! -s "$tmp/out" ]; }
json() { python3 -c "import json,sys; d=json.load(open('$tmp/out')); sys.exit(not ($1))"; }

# creates N: a plan that creates N objects.
creates() {
	printf 'Terraform will perform the following actions:\n\n'
	i=0
	while [ $i -lt "$1" ]; do
		printf '  # null_resource.n%d will be created\n  + resource "null_resource" "n%d" {\n' $i $i
		printf '      + id = (known after apply)\n    }\n\n'
		i=$((i + 1))
	done
	printf 'Plan: %d to add, 0 to change, 0 to destroy.\n' "$1"
}
creates 5 >"$tmp/five"
creates 6 >"$tmp/six"
small=$examples/01-small-create.txt
mixed=$examples/02-mixed-replace.txt
errored=$examples/07-errored.txt
cut=$examples/08-tofu-truncated.txt

# ---- the examples (P-02, P-10, P-15) ----

for expected in "$examples"/*.expected.json; do
	base=${expected%.expected.json}
	due=$(sed -n 's/.*"cli_exit": *\([0-9]*\).*/\1/p' "$expected")
	count=$(sed -n 's/.*"count_only": *"\(.*\)".*/\1/p' "$expected")
	for file in "$base".txt "$base".md "$base".json "$base".ndjson; do
		[ -f "$file" ] || continue
		ok "explain $(basename "$file")" exits "${due:-0}" explain --full "$file"
		ok "explain by pipe $(basename "$file")" piped "$file" "${due:-0}" explain --full
		ok "count only $(basename "$file")" exits "${due:-0}" explain --count-only "$file"
		ok "count only says $(basename "$file")" out_is "$count"
	done
done

# ---- forms and asking (P-04, P-13) ----

ok 'five changes are not asked about' exits 0 explain --on-many fail "$tmp/five"
ok 'six changes are' exits 64 explain --on-many fail "$tmp/six"
ok 'and nothing is printed then' out_empty
ok 'on many full is the default without a terminal' exits 0 explain "$tmp/six"
ok 'so the paragraph is there' out_has 'n0'
ok 'on many count' exits 0 explain --on-many count "$tmp/six"
ok 'prints the count alone' out_is 'Summary: 6 changes'
ok 'on many ask without a terminal is full' exits 0 explain --on-many ask "$tmp/six"
ok 'as said' out_has 'n0'
ok 'reply 1 is the count' exits 0 explain --reply 1 "$tmp/six"
ok 'reply 1 says it' out_is 'Summary: 6 changes'
ok 'reply Full Summary' exits 0 explain --reply ' Full Summary ' "$tmp/six"
ok 'reply full says it' out_has 'n0'
ok 'an unclear reply is asked again, here that means full' exits 0 explain --reply 'hm' "$tmp/six"
ok 'an unclear reply with fail' exits 64 explain --reply 'hm' --on-many fail "$tmp/six"
creates 1 >"$tmp/one"
plan explain --count-only "$tmp/one"
ok 'in the singular' out_is 'Summary: 1 change'
ok 'full is two lines' sh -c "[ \$('$TENON' plan explain --full '$mixed' 2>/dev/null | wc -l) = 2 ]"
ok 'the developer wording names types' exits 0 explain --audience developer "$small"
cp "$tmp/out" "$tmp/developer"
plan explain "$small"
ok 'and differs from the other' sh -c "! cmp -s '$tmp/out' '$tmp/developer'"
ok 'equal input gives equal bytes' sh -c "'$TENON' plan explain --full '$mixed' 2>/dev/null >'$tmp/a';
	'$TENON' plan explain --full '$mixed' 2>/dev/null >'$tmp/b'; cmp -s '$tmp/a' '$tmp/b'"

# ---- mistakes, for programs ----

printf 'nothing to see here\n' >"$tmp/nothing"
for words in 'explain --format json' 'risk --format json' 'parse' 'best-of --format json'; do
	# shellcheck disable=SC2086 # words
	ok "a mistake of $words exits 65" exits 65 $words "$tmp/nothing"
	ok 'and is JSON, too' json "d['error']['code'] == 'not_a_plan' and 'terraform plan' in d['error']['hint']"
done
ok 'no such file exits 66' exits 66 explain --format json "$tmp/absent"
ok 'as JSON' json "d['error']['code'] == 'no_such_file'"
ok 'as text nothing is printed' exits 65 explain "$tmp/nothing"
ok 'at all' out_empty

# ---- exit codes and their order (section 13) ----

ok 'exit 0' exits 0 explain "$small"
ok 'exit 1 for a plan that ended in an error' exits 1 explain "$errored"
ok 'which is explained all the same' out_has 'Summary: 2 changes'
ok 'exit 1 of parse' exits 1 parse "$errored"
ok 'exit 2' exits 2 explain --detailed-exitcode "$small"
printf 'No changes. Your infrastructure matches the configuration.\n' >"$tmp/none"
ok 'exit 0 without changes' exits 0 explain --detailed-exitcode "$tmp/none"
ok 'no changes in words' out_has 'Summary: 0 changes'
ok 'exit 3' exits 3 explain --fail-on critical --full "$mixed"
ok 'with the explanation' out_has 'Summary: 7 changes'
ok 'exit 3 for a lower level too' exits 3 explain --fail-on low --full "$mixed"
ok 'not below the level' exits 0 explain --fail-on high "$tmp/five"
ok 'exit 3 of risk' exits 3 risk --fail-on high "$mixed"
ok 'exit 64 for an unknown option' exits 64 explain --fast "$small"
ok 'said on stderr' err_has 'usage:'
ok 'nothing on stdout' out_empty
ok 'exit 64 for a wrong value' exits 64 explain --format pdf "$small"
ok 'which names the right ones' err_has 'text|markdown|json'
ok 'exit 64 for both forms' exits 64 explain --full --count-only "$small"
ok 'exit 64 for two files' exits 64 explain "$small" "$mixed"
ok 'exit 64 for an unknown command' exits 64 dance
ok 'exit 64 without a command' exits 64
ok 'exit 64 for a wrong setting' sh -c "TENON_PLAN_TIMEOUT_MS=soon '$TENON' plan parse '$small' >/dev/null 2>'$tmp/err'; [ \$? = 64 ]"
ok 'named by its variable' err_has TENON_PLAN_TIMEOUT_MS
printf 'hello\n' >"$tmp/text"
ok 'exit 65 for no plan' exits 65 explain "$tmp/text"
ok 'with what was expected' err_has 'terraform show -no-color FILE'
printf 'PK\003\004xxxx' >"$tmp/binary"
ok 'exit 65 for a saved plan' exits 65 explain "$tmp/binary"
ok 'with how to render it' err_has 'show -no-color'
ok 'the code is named' err_has 'binary_plan'
: >"$tmp/empty"
ok 'exit 65 for nothing' exits 65 explain "$tmp/empty"
printf '{"format_version":"9.0","resource_changes":[]}' >"$tmp/future"
ok 'exit 65 for a format from the future' exits 65 explain "$tmp/future"
ok 'named unsupported_format' err_has unsupported_format
sed 's/Plan: 3 to add/Plan: 4 to add/' "$small" >"$tmp/wrong"
ok 'totals that do not match are no error' exits 0 explain "$tmp/wrong"
ok 'but are told' err_has 'warning'
ok 'exit 65 with strict' exits 65 explain --strict "$tmp/wrong"
ok 'strict lets a good plan pass' exits 0 explain --strict "$small"
ok 'exit 66' exits 66 explain "$tmp/absent"
ok 'exit 66 for a folder' exits 66 explain "$tmp"
ok '64 before 66' exits 64 explain --fast "$tmp/absent"
ok '1 before 3' exits 1 explain --fail-on low "$errored"
ok '3 before 2' exits 3 explain --fail-on low --detailed-exitcode --full "$mixed"
ok '1 before 2' exits 1 explain --detailed-exitcode "$errored"
for words in "explain $errored" "explain --fast" "explain $tmp/text" "explain $tmp/absent" \
	"explain --fail-on low --full $mixed" "parse --fast" "dance"; do
	# shellcheck disable=SC2086 # words on purpose
	ok "soft $words" exits 0 $words --soft
done
ok 'quiet' exits 0 explain --quiet "$tmp/wrong"
ok 'says nothing on stderr' [ ! -s "$tmp/err" ]

# ---- input ----

ok 'a dash is standard input' piped "$small" 0 explain -
ok 'after two dashes words are files' exits 66 explain -- --full
ok 'a process substitution can be read' sh -c "cat '$small' | '$TENON' plan explain /dev/stdin 2>/dev/null |
	grep -q 'Summary: 3 changes'"
# A pipe is read to its end whatever is wrong with the rest of the line.
for words in "explain --fast" "explain --format pdf" "dance" "parse --format xml" "score"; do
	# shellcheck disable=SC2086 # words on purpose
	ok "the pipe is not broken by $words" sh -c "(
		trap '' PIPE
		head -c 3000000 /dev/zero && echo done >'$tmp/upstream'
	) 2>/dev/null | '$TENON' plan $words >/dev/null 2>&1; [ -s '$tmp/upstream' ] && rm '$tmp/upstream'"
done
ok 'an input kind can be forced' exits 65 parse --input-kind json "$small"
ok 'and fits' exits 0 parse --input-kind text "$small"

# ---- parse ----

ok 'parse is JSON' exits 0 parse "$mixed"
ok 'with the counts' json "d['summary']['total_changes'] == 7"
ok 'and no handle' json "d['plan_id'] is None"
ok 'parse detail summary' exits 0 parse --detail summary "$mixed"
ok 'has no entries' json "d['resource_changes'] == []"
ok 'parse table' exits 0 parse --format table "$mixed"
ok 'has the addresses' out_has 'aws_db_instance.ledger'
ok 'parse tsv' exits 0 parse --format tsv "$mixed"
ok 'has a line an entry and a header' sh -c "[ \$(wc -l <'$tmp/out') = 9 ]"
for kind in txt json ndjson; do
	plan parse --format tsv "$examples/09-same-plan.$kind"
	cut -f 2,5-7 "$tmp/out" | sort >"$tmp/$kind.tsv"
done
ok 'text and JSON give the same' cmp -s "$tmp/txt.tsv" "$tmp/json.tsv"
ok 'text and JSON stream give the same' cmp -s "$tmp/txt.tsv" "$tmp/ndjson.tsv"

# ---- risk ----

ok 'risk' exits 0 risk "$mixed"
ok 'names the level first' sh -c "head -n 1 '$tmp/out' | grep -q 'Risk: critical'"
ok 'risk json' exits 0 risk --format json "$mixed"
ok 'has findings' json "d['level'] == 'critical' and any(f['id'] == 'RISK-DATA-REPLACE' for f in d['findings'])"
ok 'risk min level' exits 0 risk --format json --min-level critical "$mixed"
ok 'leaves the others out' json "all(f['level'] == 'critical' for f in d['findings'])"
ok 'risk markdown' exits 0 risk --format markdown "$mixed"
ok 'names the rule' out_has 'RISK-DATA-REPLACE'
ok 'risk sarif' exits 0 risk --format sarif "$mixed"
ok 'is SARIF' json "d['version'] == '2.1.0' and d['runs'][0]['results'][0]['ruleId'].startswith('RISK-')"

# ---- best of, score, context, compare ----

ok 'best of' exits 0 best-of "$small"
ok 'in the layout of section 12.2' sh -c "head -n 3 '$tmp/out' | grep -qx 'Best-of-3 Result:' &&
	grep -qx 'Score: 100/100' '$tmp/out' && grep -qx '3. Summary: 3 changes (100/100)' '$tmp/out'"
ok 'best of 10 full' exits 0 best-of -n 10 --full --format json "$mixed"
ok 'makes ten' json "d['total_attempts'] == 10 and len(d['all_responses']) == 10 and d['best_score'] == 80"
ok 'of different wordings' json "len(set(r['response'] for r in d['all_responses'])) >= 6"
ok 'best of 0' exits 64 best-of -n 0 "$small"
ok 'best of 11' exits 64 best-of -n 11 "$small"
ok 'temperature 3' exits 64 best-of --temperature 3 "$small"
ok 'score' exits 0 score --answer 'Summary: 3 changes' --count-only "$small"
ok 'of a perfect count' out_has 'Score: 100/100 (passed)'
ok 'score json' exits 0 score --answer 'Summary: 4 changes' --format json "$small"
ok 'of a wrong number' json "d == {**d, 'score': 50, 'passed': False} and d['parts']['number'] == 0"
ok 'score without an answer' exits 64 score "$small"
ok 'context' exits 0 context "$mixed"
ok 'has the four keys in order (P-05)' json "list(d) == ['mcp_version','system','tool_output','history'] and d['mcp_version'] == '1.0'"
creates 15 >"$tmp/fifteen"
ok 'context of 15' exits 0 context "$tmp/fifteen"
ok 'is pruned to 10 (P-06)' json "len(d['tool_output']) == 10 and d['tool_output'][0] == '+6 more…' and d['tool_output'][9] == '- create null_resource.n14'"
ok 'compare with itself' exits 0 compare --format json "$mixed" "$mixed"
ok 'is identical' json "d['identical'] is True"
ok 'compare' exits 0 compare --format json "$tmp/five" "$tmp/six"
ok 'tells what was added' json "[e['address'] for e in d['added']] == ['null_resource.n5'] and not d['removed']"
ok 'compare in words' exits 0 compare "$tmp/five" "$tmp/six"
ok 'compare by pipe' piped "$tmp/five" 0 compare - "$tmp/six"
ok 'compare needs two' exits 64 compare "$tmp/five"
ok 'compare twice standard input' exits 64 compare - -

# ---- Markdown and the pull request (P-11, section 14) ----

ok 'markdown' exits 0 explain --format markdown "$mixed"
ok 'begins with the marker' sh -c "head -n 1 '$tmp/out' | grep -qE '^<!-- tenon-plan:[0-9a-f]{12} -->'"
ok 'and the totals' out_has '### Plan: '
creates 2000 >"$tmp/many"
ok 'markdown of 2000' exits 0 explain --format markdown "$tmp/many"
ok 'fits into a comment' sh -c "[ \$(wc -c <'$tmp/out') -le 60001 ]"
ok 'markdown in 5000 bytes' exits 0 explain --format markdown --max-bytes 5000 "$tmp/many"
ok 'fits into those' sh -c "[ \$(wc -c <'$tmp/out') -le 5001 ]"
ok 'explain json' exits 0 explain --format json --full "$mixed"
ok 'has explanation and score' json "d['status'] == 'explained' and d['explanation'].startswith('Summary: 7 changes\n') and d['score'] == 80 and d['passed'] and d['source_used'] == 'builtin' and d['fallback_reason'] is None"
ok 'no colour in a pipe' sh -c "! '$TENON' plan explain --full '$mixed' 2>&1 | grep -q \"\$(printf '\\033')\""

# ---- Atlantis and plain pipes (P-11, section 15) ----

# A terraform that does what these steps ask of it.
mkdir "$tmp/bin"
cat >"$tmp/bin/terraform" <<'FAKE'
#!/bin/sh
case "$*" in
"show -no-color "*) cat "$EXAMPLES/02-mixed-replace.txt" ;;
"show -json "*) cat "$EXAMPLES/09-same-plan.json" ;;
"plan -no-color") cat "$EXAMPLES/02-mixed-replace.txt" ;;
*) echo "unexpected: $*" >&2; exit 1 ;;
esac
FAKE
chmod +x "$tmp/bin/terraform"
ln -s "$TENON" "$tmp/bin/tenon"
cp "$tmp/binary" "$tmp/plan.tfplan"
# Atlantis runs each step by sh -c with PLANFILE and SHOWFILE set and no terminal.
atlantis() {
	(cd "$tmp" && env -i HOME="$tmp" PATH="$tmp/bin:/usr/bin:/bin" EXAMPLES="$OLDPWD/$examples" \
		PLANFILE="$tmp/plan.tfplan" SHOWFILE="$tmp/show.json" \
		sh -c "$1" >"$tmp/out" 2>"$tmp/err" </dev/null)
}
ok 'atlantis text' atlantis 'terraform show -no-color "$PLANFILE" | tenon plan explain --format markdown --on-many full'
ok 'atlantis text is a comment' out_has '### Plan: '
ok 'atlantis json' atlantis 'terraform show -json "$PLANFILE" > "$SHOWFILE"; tenon plan explain --format markdown "$SHOWFILE"'
ok 'atlantis json is a comment' out_has '### Plan: '
ok 'plain pipe with tee' atlantis 'terraform plan -no-color | tee plan.txt | tenon plan explain --full'
ok 'plain pipe explains' out_has 'Summary: 7 changes'
ok 'and tee has everything' cmp -s "$tmp/plan.txt" "$mixed"
atlantis 'tenon plan explain "$PLANFILE"'
ok 'the plan file itself is binary' [ $? = 65 ]
ok 'with the way to render it' err_has 'show -no-color'
ok 'text copied back from a comment' exits 0 parse "$examples/06-pull-request-comment.md"
ok 'a step with soft never fails' atlantis 'tenon plan explain --soft "$PLANFILE"'

# ---- models (P-05, P-12, section 10.5; the key is nowhere to be seen) ----

mkfifo "$tmp/llm-in" "$tmp/llm-out"
start_llm() {
	if [ -n "$llm_in" ]; then
		exec 9>&-
		wait "$llm_pid" # or the old one would still be reading when the new one starts
	fi
	"$FAKE_LLM" --log "$tmp/llm.log" <"$tmp/llm-in" >"$tmp/llm-out" 9>&- &
	llm_pid=$!
	exec 9>"$tmp/llm-in"
	llm_in=open
	read -r port <"$tmp/llm-out"
	: >"$tmp/llm.log"
}
# llm PART CODE WORDS...: with the endpoint playing PART.
llm() {
	part=$1 wanted=$2
	shift 2
	OPENAI_BASE_URL="http://127.0.0.1:$port/$part/v1" OPENAI_API_KEY=sk-secret-key \
		TENON_PLAN_TIMEOUT_MS="${timeout_ms:-5000}" exits "$wanted" "$@"
}
start_llm
ok 'openai' llm good 0 explain --source openai "$small"
ok 'the model words it' out_has 'The model says:'
ok 'the key was sent as bearer' grep -q "$(printf '\tBearer sk-secret-key\t')" "$tmp/llm.log"
ok 'auto uses the key' llm good 0 explain --source auto "$small"
ok 'auto with a key is the model' out_has 'The model says:'
ok 'auto without a key' exits 0 explain --source auto "$small"
ok 'is built in' sh -c "! grep -q 'The model says:' '$tmp/out'"
ok 'the default is built in, key or not' llm good 0 explain "$small"
ok 'as said there' sh -c "! grep -q 'The model says:' '$tmp/out'"
ok 'content in parts' llm parts 0 explain --source openai "$small"
ok 'is joined' out_has 'The model says:'
ok 'fences are taken off' llm fenced 0 explain --source openai --no-fallback "$small"
ok 'and the summary stands first' sh -c "head -n 1 '$tmp/out' | grep -qx 'Summary: 3 changes'"
ok 'a count by the model' llm good 0 explain --source openai --count-only "$mixed"
ok 'is one line' out_is 'Summary: 7 changes'
ok 'a wrong number twice' llm wrong 0 explain --source openai "$small"
ok 'gives the built-in text' sh -c "grep -qx 'Summary: 3 changes' '$tmp/out' && ! grep -q 'The model says' '$tmp/out'"
ok 'and says so' err_has 'refused'
ok 'an invented address' llm invented 0 explain --source openai "$small"
ok 'never appears' sh -c "! grep -q invented '$tmp/out'"
ok 'exit 69' llm 500 69 explain --source openai --no-fallback "$small"
ok 'prints nothing' out_empty
ok 'without it built in' llm 500 0 explain --source openai "$small"
ok 'says why' err_has 'source_unavailable'
ok 'the wrong key' llm bad-key 69 explain --source openai --no-fallback "$small"
ok 'is bad_api_key' err_has 'bad_api_key'
ok 'quota' llm 429 69 explain --source openai --no-fallback "$small"
ok 'is quota' err_has 'quota'
ok 'a redirect is not followed' llm redirect 69 explain --source openai --no-fallback "$small"
ok 'a huge answer' llm huge 69 explain --source openai --no-fallback "$small"
ok 'no JSON' llm not-json 69 explain --source openai --no-fallback "$small"
ok 'a closed connection' llm closed 69 explain --source openai --no-fallback "$small"
timeout_ms=300
ok 'a slow one' llm slow 69 explain --source openai --no-fallback "$small"
ok 'is timeout' err_has 'timeout'
timeout_ms=5000
ok '66 before 69' llm 500 66 explain --source openai --no-fallback "$tmp/absent"
ok '69 before 1' llm 500 69 explain --source openai --no-fallback "$errored"
ok 'the key is in no output' sh -c "! grep -q sk-secret '$tmp/out' '$tmp/err'"
start_llm
ok '429, then good' llm 429-then-good 0 explain --source openai --no-fallback "$small"
start_llm
ok '500, then good' llm 500-then-good 0 explain --source openai --no-fallback "$small"
start_llm
ok 'wrong, then good' llm wrong-then-good 0 explain --source openai --no-fallback "$small"
ok 'is the second text' out_has 'The model says:'
ok 'asked with the failures in the history' sh -c "sed -n 2p '$tmp/llm.log' | grep -q 'assistant'"
start_llm
ok 'best of by a model' llm every-second-wrong 0 best-of --source openai -n 4 --format json "$small"
ok 'keeps the best' json "d['best_score'] == 100 and d['total_attempts'] == 4 and sorted(r['score'] for r in d['all_responses']) == [70, 70, 100, 100]"
ok 'best of without success' llm 500 69 best-of --source openai --no-fallback "$small"
ok 'remote can be forbidden' sh -c "OPENAI_API_KEY=k TENON_PLAN_ALLOW_REMOTE=0 '$TENON' plan explain --source openai --no-fallback '$small' >/dev/null 2>'$tmp/err'; [ \$? = 69 ]"
ok 'which is said' err_has TENON_PLAN_ALLOW_REMOTE
ok 'a key is not sent in clear' sh -c "OPENAI_API_KEY=k OPENAI_BASE_URL=http://example.invalid/v1 '$TENON' plan explain --source openai --no-fallback '$small' >/dev/null 2>'$tmp/err'; [ \$? = 69 ]"
ok 'no key, no remote model' sh -c "'$TENON' plan explain --source openai --no-fallback '$small' >/dev/null 2>'$tmp/err'; [ \$? = 69 ]"
ok 'the document is the only system message if asked for' sh -c "OPENAI_BASE_URL=http://127.0.0.1:$port/good/v1 TENON_PLAN_CONTEXT_ROLE=system '$TENON' plan explain --source openai --no-fallback '$small' >'$tmp/out' 2>&1"
ok 'and a local model needs no key' out_has 'The model says:'

# ---- history and help ----

ok 'history without any' exits 0 history
ok 'says so' out_has 'no earlier explanations'
ok 'history json' exits 0 history --format json
ok 'is an empty list' json "d == {'entries': [], 'total': 0}"
ok 'history of a wrong date' exits 64 history --since yesterday
ok 'nothing was kept of all this' [ ! -e "$tmp/state/tenon" ]
for verb in explain parse risk best-of score context compare history; do
	ok "help of $verb" exits 0 "$verb" --help
	ok "help of $verb is a usage" out_has "usage: tenon plan $verb"
done
ok 'help' exits 0 --help
ok 'help names every command' sh -c "for v in explain parse risk best-of score context compare history; do grep -q \"\$v\" '$tmp/out' || exit 1; done"

echo "$failures failed"
[ $failures = 0 ]
