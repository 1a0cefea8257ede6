#!/bin/sh
# web.sh [build|install|check] - the page: installs its tools if they are missing, and builds
# web/dist from web/ when a source has changed. Does nothing, fast, when none has.
#
# Several builds may ask at once: one works, the others wait for it.
set -eu
cd "$(dirname "$0")/../web"

say() { echo "web.sh: $*" >&2; }

# Everything but what is made: names and contents.
stamp_of_sources() {
	find . ../examples/house.floorplan \( -name node_modules -o -name node_modules.new -o -name dist -o -name '.svelte-kit' \) -prune -o \
		-type f ! -name .lock -print | LC_ALL=C sort | xargs sha256sum | sha256sum
}

# What a build needs, or all that development and tests need.
install_tools() {
	if ! ../tools/node.sh --fetch || ! ../tools/packages.py "$@" .; then
		say "the page cannot be built (see above). If the registry is not reachable, build where it is, or" \
			"leave the page out: make MESON_FLAGS=-Dweb=disabled"
		return 1
	fi
}

node() { ../tools/node.sh "$@"; }

build() {
	stamp=$(stamp_of_sources)
	[ "$(cat dist/.stamp 2>/dev/null)" != "$stamp" ] || return 0
	install_tools --build
	rm -rf dist.new
	node node_modules/vite/bin/vite.js build --logLevel error --outDir dist.new --emptyOutDir >&2
	printf '%s\n' "$stamp" >dist.new/.stamp
	rm -rf dist
	mv dist.new dist
}

check() {
	install_tools
	node node_modules/svelte-check/bin/svelte-check --threshold warning --output human >&2
	node --test '*/*.test.ts' >&2
}

exec 9>.lock
flock 9
case ${1:-build} in
build) build ;;
install) install_tools ;;
check) check ;;
*)
	say "unknown command '$1'"
	exit 64
	;;
esac
