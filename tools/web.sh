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
	find . ../examples/house.floorplan \( -name node_modules -o -name dist -o -name '.svelte-kit' \) -prune -o \
		-type f ! -name .lock -print | LC_ALL=C sort | xargs sha256sum | sha256sum
}

install_tools() {
	want=$(sha256sum <package-lock.json)
	[ "$(cat node_modules/.tenon-lock 2>/dev/null)" != "$want" ] || return 0
	if ! command -v npm >/dev/null 2>&1; then
		say "the page needs npm to be built: install the packages nodejs and npm, or leave" \
			"the page out with -Dweb=disabled"
		return 1
	fi
	for try in 1 2 3; do
		# Install scripts of packages are not run: nothing here needs them.
		if npm ci --ignore-scripts --loglevel=error --no-progress </dev/null >&2; then
			printf '%s\n' "$want" >node_modules/.tenon-lock
			return 0
		fi
		say "npm ci failed (try $try of 3)"
		sleep $((try * 3))
	done
	say "the page cannot be built: npm's registry was not reachable. Build where it is, or leave" \
		"the page out with -Dweb=disabled"
	return 1
}

node() {
	case $(uname -m) in
	aarch64 | arm64) arch=arm64 ;;
	*) arch=x64 ;;
	esac
	own=node_modules/node-linux-$arch/bin/node
	if [ -x "$own" ]; then "$own" "$@"; else command node "$@"; fi
}

build() {
	stamp=$(stamp_of_sources)
	[ "$(cat dist/.stamp 2>/dev/null)" != "$stamp" ] || return 0
	install_tools
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
