#!/usr/bin/env bash
# reproducible.sh [BUILD [SECOND]] - builds the sources once more, elsewhere and as somebody else, and compares what is shipped
# with BUILD (build) byte for byte: programs, libraries, the plug-in, notices, list of parts, completions, manual pages.
# SECOND is a build of the same commit that somebody else has made already, as the bare machine of tests/bare has.
#
# Another path of another depth, build folder, home, user, machine's name, language, time zone, umask, number of jobs and
# time of day; the page is made anew; no compiler cache. What is the same: the tools' versions, and SOURCE_DATE_EPOCH, which
# is the time of the commit. It must run after BUILD was made of the same sources ("make build").
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/results.sh
results_begin
first=$PWD/${1:-build}
top=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$top" && rm -rf "$top"' EXIT
source=$top/some/other/place/tenon-src
second=${2:-$top/out}
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 0)

# As it was configured, but for what tests need.
options=$(sed 's/^[^ ]* *//' "$first/.tenon-options" 2>/dev/null)

copy() {
	mkdir -p "$source" "$top/home" "$second" &&
		git ls-files -z --cached --others --exclude-standard | tar -c --null --ignore-failed-read -T - |
		tar -x -C "$source" &&
		for cache in tools/node/node_modules tools/grammar/node_modules web/node_modules; do
			[ ! -d $cache ] || cp -a $cache "$source/$cache"
		done
}

# Its own name for the machine, where that is allowed.
elsewhere() {
	if unshare --uts true 2>/dev/null; then
		# shellcheck disable=SC2016 # expanded in there
		unshare --uts sh -c 'hostname another-machine; exec "$@"' sh "$@"
	else
		"$@"
	fi
}

build() (
	umask 027
	cd "$source" || exit 1
	unset MAKEFLAGS CFLAGS LDFLAGS CPPFLAGS
	# shellcheck disable=SC2086 # names without blanks
	elsewhere env HOME="$top/home" USER=builder-of-second LOGNAME=builder-of-second LC_ALL=C LANG=de_DE.UTF-8 TZ=Pacific/Kiritimati \
		CCACHE_DISABLE=1 COLUMNS=40 OPTIONS="$options" SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" \
		sh -c 'to=$1 && shift && meson setup "$to" $OPTIONS >"$to.log" 2>&1 &&
			nice -n 10 ninja -C "$to" -j3 --quiet "$@"' sh "$second" $targets ||
		{ tail -n 20 "$second.log" >&2; exit 1; }
)

# What `make install` would ship of a build, by its path in the build; not tenon-shaping.so, which a bare machine does not
# build.
shipped() {
	(cd "$1" && find . -type f \( -name tenon -o -name tenond -o -name tenon-proof -o -name 'libtenon*.so.*' -o -name 'libtenon*.a' -o -name '*.pc' \
		-o -name 'tenon-client.so' -o -name 'tenon-source.so' -o -name '*.1' -o -name 'licences.txt' -o -name 'tenon.spdx.json' -o -name tenon.fish \
		-o -name _tenon \) ! -path '*.p/*' ! -path './meson-*' ! -path './install-test/*' ! -path './src/*.a' | LC_ALL=C sort)
}

names_all() {
	for name in tenon tenond tenon-proof libtenon.so.0.1.0 libtenon.a tenon-client.so src/host/tenon.spdx.json src/host/licences.txt; do
		printf '%s\n' "$files" | grep -qxF "$name" || return 1
	done
}

names_nobody() {
	# shellcheck disable=SC2086 # names without blanks
	! (cd "$second" && grep -laF -e "$top" -e another-machine -e builder-of-second -e /srv/tenon $files) &&
		! (cd "$first" && grep -laF -e "$PWD" $files)
}

differs() {
	[ -f "$second/$1" ] || return 1
	if command -v diffoscope >/dev/null; then
		diffoscope --max-report-size 20000 "$first/$1" "$second/$1"
	else
		cmp -l "$first/$1" "$second/$1" | wc -l
		diff <(strings -a "$first/$1") <(strings -a "$second/$1") | head -n 20
	fi >&2
	return 1
}

expect reproducible 'the first build is there' test -x "$first/tenond"
files=$(shipped "$first" | sed 's,^\./,,')
# Some come along with others.
targets=$(ninja -C "$first" -t targets all 2>/dev/null | sed 's/: [^:]*$//' | grep -xF "$files")
if [ -z "${2:-}" ]; then
	expect reproducible 'the sources are copied' copy
	expect reproducible 'it is built a second time, elsewhere' build
fi
expect reproducible 'programs, libraries and the list of parts are among them' names_all
for file in $files; do
	expect reproducible "$file is the same" cmp -s "$first/$file" "$second/$file"
	cmp -s "$first/$file" "$second/$file" || differs "$file"
done
expect reproducible 'nothing shipped names where or by whom it was built' names_nobody
results_end
