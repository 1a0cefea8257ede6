#!/usr/bin/env bash
# golden.sh - pictures are the same bytes whatever the locale, time zone, home and fonts (floorplan.md 6.10).
#
# The committed pictures are compared by floorplan_picture_golden_test and floorplan_model_test, here in foreign surroundings;
# run with TENON_BUILD set to builds of other compilers and sanitizers it compares those, too.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
build=${TENON_BUILD:-$PWD/build}
empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
cat >"$empty/fonts.conf" <<'END'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>/nonexistent</dir></fontconfig>
END

# Locales are made here: few machines have these two.
for locale in de_DE tr_TR; do
	localedef -i "$locale" -f UTF-8 "$empty/$locale.UTF-8" >"$empty/log" 2>&1 ||
		[ -d "$empty/$locale.UTF-8" ] ||
		result failed floorplan-golden "locale $locale" 'localedef and the locales of libc (package locales)'
done

# check NAME VARIABLE=VALUE... : passed when all pictures are as committed.
check() {
	name=$1
	shift
	expect floorplan-golden "$name" env -i "$@" "$build/src/floorplan_picture_golden_test" >"$empty/log" 2>&1
	expect floorplan-golden "in space: $name" env -i "$@" "$build/src/floorplan_model_test" >"$empty/log" 2>&1
}
check plain LC_ALL=C TZ=UTC
check 'a locale with a decimal comma' LOCPATH="$empty" LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 TZ=America/St_Johns
check 'another locale' LOCPATH="$empty" LC_ALL=tr_TR.UTF-8 LANG=tr_TR.UTF-8 TZ=Pacific/Chatham
check 'no home' HOME="$empty" XDG_CONFIG_HOME="$empty" XDG_CACHE_HOME="$empty"
check 'foreign fonts' FONTCONFIG_FILE="$empty/fonts.conf" FONTCONFIG_PATH="$empty"
results_end
