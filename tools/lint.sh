#!/bin/sh
# lint.sh - every rule that a program can check. Prints file:line: message and exits 1.
set -u
cd "$(dirname "$0")/.." || exit 1
status=0

# Adds a result for .ci/run when it listens (TENON_RESULTS), and remembers a failure.
check() {
	name=$1
	shift
	if "$@"; then
		outcome=passed
	else
		outcome=failed
		status=1
		echo "lint: $name failed" >&2
	fi
	[ -z "${TENON_RESULTS:-}" ] || printf '%s\tlint\t%s\t\n' "$outcome" "$name" >>"$TENON_RESULTS"
}

format() {
	# Bundled data and generated code is not in the list, so there are no exceptions here.
	tools/sources.sh | xargs -P 2 -n 24 clang-format --dry-run -Werror --style=file
}

code_rules() {
	tools/sources.sh | xargs python3 tools/code_rules.py
}

scripts() {
	result=0
	for script in $(git ls-files --cached --others --exclude-standard -- '*.sh' .ci/run); do
		[ -f "$script" ] || continue
		case $(head -n 1 "$script") in
		*bash*) bash -n "$script" || result=1 ;;
		*) sh -n "$script" || result=1 ;;
		esac
	done
	return $result
}

# A lock file with addresses would make every clone depend on one registry's host; a folder beside it is none.
lock_files() {
	! git ls-files --cached --others --exclude-standard -- '*package-lock.json' |
		xargs -r grep -nHE '"resolved": "([a-z+]+:|/)'
}

check format format
check layers tools/layers.sh
check code-rules code_rules
check scripts scripts
check tools tools/tools_to_c.py check
check lock-files lock_files
check doc-code tools/check_docs.sh
exit $status
