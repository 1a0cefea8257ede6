#!/bin/sh
# install.sh [build|lint|test|coverage]... - makes sure the Debian packages are there.
#
# Does nothing, fast, when they are. Otherwise installs them as root or with password-less sudo;
# with neither it prints the line to run and exits 2, so that nobody waits for a password prompt.
set -eu
cd "$(dirname "$0")/.."

# Libraries by package; programs as command=package, because a machine may have them from elsewhere.
packages_for() {
	case $1 in
	build)
		echo cc=gcc gcc=gcc libc6-dev=libc6-dev meson=meson ninja=ninja-build \
			pkg-config=pkg-config libuv1-dev libsodium-dev libsqlite3-dev \
			libcurl4-openssl-dev libutf8proc-dev libpcre2-dev libdeflate-dev libsystemd-dev fonts-dejavu-core \
			python3=python3 ca-certificates
		;;
	lint) echo git=git python3=python3 clang-format=clang-format ;;
	test)
		echo clang=clang libclang-rt-14-dev llvm-symbolizer=llvm libcmocka-dev \
			libjansson-dev libwslay-dev libvterm-dev bwrap=bubblewrap vim=vim-tiny top=procps tmux=tmux git=git ca-certificates zsh=zsh fish=fish curl=curl \
			chromium=chromium ccache=ccache mold=mold mmdebstrap=mmdebstrap systemd-analyze=systemd systemd-socket-activate=systemd strace=strace less=less locales \
			polkitd python3-venv dbus-daemon=dbus-daemon dbus-send=dbus-bin unshare=util-linux \
			libtest-json-schema-acceptance-perl libharfbuzz-dev libfribidi-dev libpng-dev fonts-noto-core fonts-noto-cjk \
			fonts-noto-color-emoji
		;;
	coverage) echo lcov=lcov ;;
	*)
		echo "install.sh: unknown set '$1'" >&2
		exit 64
		;;
	esac
}

is_present() {
	case $1 in
	libc6-dev=*) [ -e /usr/include/stdio.h ] ;;
	*=*) command -v "${1%%=*}" >/dev/null 2>&1 ;;
	*) dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed ;;
	esac
}

missing=
for set_name in "${@:-build}"; do
	for entry in $(packages_for "$set_name"); do
		is_present "$entry" || missing="$missing ${entry#*=}"
	done
done
[ -n "$missing" ] || exit 0

missing=$(printf '%s\n' $missing | sort -u | tr '\n' ' ')
line="apt-get update && apt-get install -y --no-install-recommends ${missing% }"
if ! command -v apt-get >/dev/null 2>&1; then
	echo "Tenon needs these packages (Debian names): $missing" >&2
	exit 2
fi
if [ "$(id -u)" = 0 ]; then
	as_root=
elif sudo -n true 2>/dev/null; then
	as_root='sudo -n'
else
	printf 'Tenon needs a few packages. Please run, as root:\n\n    %s\n\n' "$line" >&2
	exit 2
fi
echo "installing: $missing" >&2
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -q </dev/null >&2
# shellcheck disable=SC2086 # one word per package
$as_root apt-get install -y -q --no-install-recommends $missing </dev/null >&2
