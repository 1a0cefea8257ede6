#!/usr/bin/env bash
# hardening.sh [BUILD] - looks at what was built, not at what the build files wish for: read-only
# relocations, a place in memory of its own, no executable stack, checked functions of libc, marks of
# control-flow protection. For an optimised build without sanitizers. Each line says which program.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/results.sh
build=${1:-build-gcc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
results_begin

programs="$build/tenon $build/tenond $build/tenon-proof"
libraries="$(find "$build" -maxdepth 1 -type f -name 'libtenon*.so.*' | tr '\n' ' ')$build/tenon-client.so"
plugins=
for plugin in tenon-shaping.so tenon-source.so; do
	[ ! -e "$build/$plugin" ] || plugins="$plugins $build/$plugin"
done
libraries="$libraries $plugins"

has() { grep -Eq -- "$2" <<<"$1"; }
has_not() { ! has "$@"; }

check_linked() {
	name=$(basename "$1")
	dynamic=$(readelf -dW "$1") || dynamic='not there'
	segments=$(readelf -lW "$1")
	symbols=$(nm -D --undefined-only "$1")
	expect hardening "$name: relocations are read-only (GNU_RELRO)" has "$segments" GNU_RELRO
	expect hardening "$name: all of them, before it runs (BIND_NOW)" has "$dynamic" 'BIND_NOW|FLAGS.*NOW'
	expect hardening "$name: its stack is not executable" has "$segments" 'GNU_STACK .* RW +0x'
	expect hardening "$name: nothing is writable and executable" has_not "$segments" ' (LOAD|GNU_STACK) .* RWE '
	expect hardening "$name: no code is changed to load it (TEXTREL)" has_not "$dynamic" TEXTREL
	expect hardening "$name: it looks nowhere else for libraries (RPATH)" has_not "$dynamic" 'RPATH|RUNPATH'
	expect hardening "$name: canaries on the stack" has "$symbols" __stack_chk_fail
	expect hardening "$name: it calls checked functions of libc" has "$symbols" '__[a-z]+_chk'
}

for file in $programs $libraries; do
	check_linked "$file"
done
for file in $programs; do
	expect hardening "$(basename "$file"): position-independent" has "$(readelf -dW "$file")" 'FLAGS_1.* PIE'
done

# Ours alone: an archive of somebody else could have brought the checked functions along.
# shellcheck disable=SC2046,SC2086 # names without blanks
find "$build/src" "$build/tenon.p" "$build/tenond.p" "$build/tenon-proof.p" "$build/tenon-client.so.p" \
	$(for plugin in $plugins; do echo "$plugin.p"; done) -name '*.c.o' -not -path '*_test.p/*' -not -path '*tenon-grammar-*' \
	-not -path '*tenon-tree-sitter*' >"$work/objects"
expect hardening 'our objects are there' [ "$(wc -l <"$work/objects")" -gt 300 ]
xargs nm -A --undefined-only <"$work/objects" >"$work/symbols" 2>/dev/null
# Where the compiler can prove the size, or knows no size at all, it takes the plain function.
checked=$(grep -c '__v*snprintf_chk' "$work/symbols")
plain=$(grep -cEw 'v?snprintf' "$work/symbols")
expect hardening "prints are checked in more objects of ours ($checked) than not ($plain)" [ "$checked" -gt "$plain" ]
expect hardening 'and copies and reads are' has "$(cat "$work/symbols")" '__(memcpy|read|recv)_chk'
expect hardening 'every function of ours is guarded that needs it' \
	[ "$(grep -c __stack_chk_fail "$work/symbols")" -gt "$(($(wc -l <"$work/objects") / 2))" ]
for flag in stack-clash-protection; do
	# No trace of it is left in an object that could be told from chance.
	expect hardening "compiled with -f$flag" [ "$(grep -c '"command".*src/base/buf\.c' "$build/compile_commands.json")" = \
		"$(grep -c -- "\"command\".* -f$flag .*src/base/buf\.c" "$build/compile_commands.json")" ]
done

case $(uname -m) in
x86_64)
	while read -r object; do
		readelf -nW "$object" | grep -q 'x86 feature:.*IBT, SHSTK' || echo "$object"
	done <"$work/objects" >"$work/unmarked"
	expect hardening "every object of ours is ready for CET: $(head -n 3 "$work/unmarked" | tr '\n' ' ')" \
		[ ! -s "$work/unmarked" ]
	# A program has the mark only when all that is linked into it has; Debian's start files and
	# archives (crt1.o, libuv.a, libsodium.a) have not, and a mark by force would be a lie.
	for file in $programs $libraries; do
		marks=$(readelf -nW "$file" | sed -n 's/.*x86 feature: //p')
		echo "hardening: $(basename "$file"): CET marks of the whole program: ${marks:-none, as of what the system links into it}"
	done
	;;
esac
results_end
