#!/usr/bin/env bash
# run.sh [all] - README on the machine that it names: a Debian 12 with git, make and certificates, and nothing else. It is
# made by mmdebstrap, gets a clone of what is committed here, and does what README says: make start, and then, without
# a network, every line. With "all" make test runs there, too, but for this test: some ten minutes more.
#
# Needs root and the right to mount; elsewhere it is skipped, and says why. What was fetched once is kept in
# ~/.cache/tenon/bare (XDG_CACHE_HOME counts). What was built there is left in $TENON_BARE_KEEP, if it names a folder. Apt's sources, proxies and certificates, and npm's registry, are this machine's.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
release=bookworm
megabytes_max=66 # gcc, Python and Meson alone are 59; it was 99 with Debian's npm
packages_max=75
export TENON_BARE_CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/tenon/bare
machine=tests/bare/machine.sh

skip() {
	result skipped bare 'the machine of README' "$1"
	results_end
	exit
}

[ -z "${TENON_BARE_INSIDE:-}" ] || skip 'this is such a machine'
[ "$(id -u)" = 0 ] || skip 'only root can make a machine'
command -v mmdebstrap >/dev/null || skip 'there is no mmdebstrap'
unshare --mount --pid --fork --net mount -t tmpfs none /mnt 2>/dev/null ||
	skip 'mounts and namespaces are not allowed here'

mkdir -p "$TENON_BARE_CACHE/archives" "$TENON_BARE_CACHE/packages"
root=$(mktemp -d /var/tmp/tenon-bare.XXXXXX) || exit 1
trap 'rm -rf --one-file-system "$root"' EXIT
base=$TENON_BARE_CACHE/$release-$(dpkg --print-architecture).tar

# Where this machine gets Debian's packages, as lines for another one.
sources() {
	# shellcheck disable=SC2016 # apt's own names
	apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
		awk -v release="$release" '$2 ~ "^" release { print "deb " $0 }' | sort -u
}

make_base() {
	[ -n "$(find "$base" -mtime -14 2>/dev/null)" ] && return
	apt-config dump | grep -E '^Acquire::(https?::|Retries|Check-)' >"$root/apt.conf"
	sources >"$root/sources.list"
	set -- "$root/sources.list"
	[ -s "$1" ] || set --
	mmdebstrap --quiet --mode=root --format=tar --variant=apt --include=git,make,ca-certificates --skip=cleanup/apt/lists \
		--aptopt="$root/apt.conf" "$release" "$base.new" "$@" && mv "$base.new" "$base"
}

# What this machine knows of its network, and a clone.
furnish() {
	rm -rf "${root:?}"/*
	tar -C "$root" -xf "$base" || return
	cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
	cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
	for file in "$HOME/.npmrc" "$PWD/web/.npmrc"; do
		grep -hE '^ *((@[^:]*:)?registry|https-proxy|proxy|noproxy) *=' "$file" >>"$root/root/.npmrc" 2>/dev/null
	done
	git clone -q --no-hardlinks . "$root/srv/tenon"
}

is_at_most() { awk -v is="$1" -v most="$2" 'BEGIN { exit !(is + 0 > 0 && is + 0 <= most + 0) }'; }
lacks() { "$machine" "$root" alone "! command -v $1"; }

if ! make_base || ! furnish; then
	result failed bare 'a machine is made'
	results_end
	exit 1
fi
for program in cc node npm python3 meson curl; do
	expect bare "it has no $program" lacks "$program"
done
began=$(date +%s)
expect bare 'make start' "$machine" "$root" network 'cd /srv/tenon && make start >/root/start.txt 2>&1 && make stop'
seconds=$(($(date +%s) - began))
fetched=$(sed -nE 's/^Need to get ([0-9.,]+ k?M?B\/)?([0-9.,]+) MB of archives.*/\2/p' "$root/root/start.txt")
packages=$(sed -nE 's/^.* ([0-9]+) newly installed.*/\1/p' "$root/root/start.txt")
npm=$(sed -nE 's/^packages.py: .* of ([0-9.]+) MB,.*/\1/p' "$root/root/start.txt" | paste -sd +)
echo "bare: make start took $seconds s; apt: $packages packages, $fetched MB; npm's registry: $npm MB"
expect bare "apt fetches at most $megabytes_max MB ($fetched)" is_at_most "$fetched" "$megabytes_max"
expect bare "of at most $packages_max packages ($packages)" is_at_most "$packages" "$packages_max"
expect bare 'it explains the sample' grep -qx 'Summary: 7 changes' "$root/root/start.txt"
expect bare 'and names the page' grep -q '^  Page     http://127.0.0.1:' "$root/root/start.txt"
expect bare 'its Node comes from the registry' "$machine" "$root" network \
	'cd /srv/tenon && XDG_CACHE_HOME=/root/empty tools/packages.py tests/studio/hcl'
for program in node npm; do
	expect bare "it has no $program afterwards" lacks "$program"
done
began=$(date +%s)
"$machine" "$root" alone 'cd /srv/tenon && python3 tests/bare/readme.py README.md'
expect bare 'the lines of README' [ $? = 0 ]
echo "bare: README took $(($(date +%s) - began)) s"
expect bare 'without the page' "$machine" "$root" alone 'cd /srv/tenon && tests/bare/no_page.sh'
if [ "${1:-}" = all ]; then
	expect bare 'make test' "$machine" "$root" network 'cd /srv/tenon && make test'
fi
[ -z "${TENON_BARE_KEEP:-}" ] || cp -a "$root/srv/tenon/build" "$TENON_BARE_KEEP/"
cat "$root/root/results.tsv" >>"$TENON_RESULTS"
results_end
