#!/bin/sh
# machine.sh ROOT network|alone COMMAND - runs a line of bash on the machine whose files are below ROOT, with processes
# and mounts of its own: all of them end with it. "alone" has no network but its own loopback. Nothing of this machine
# is seen there but its devices and what run.sh has put there. Needs to be root.
set -eu
if [ "${1:-}" != --inside ]; then
	network=
	[ "$2" = network ] || network=--net
	exec unshare --mount --pid --fork --kill-child $network -- setsid -w "$0" --inside "$@"
fi
root=$2
network=$3
command=$4
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --bind "$TENON_BARE_CACHE/archives" "$root/var/cache/apt/archives"
mkdir -p "$root/root/.cache/tenon/packages"
mount --bind "$TENON_BARE_CACHE/packages" "$root/root/.cache/tenon/packages"
if [ "$network" != network ]; then
	python3 -c 'import fcntl, socket, struct
with socket.socket() as any_socket:
    fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 0x41))  # SIOCSIFFLAGS, IFF_UP | IFF_RUNNING'
fi
settings=$(env | sed -n 's/^\(https\{0,1\}_proxy\|HTTPS\{0,1\}_PROXY\|no_proxy\|NO_PROXY\|npm_config_registry\)=/&/p')
# shellcheck disable=SC2086 # a word for each setting
exec env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=xterm \
	TENON_RESULTS=/root/results.tsv TENON_BARE_INSIDE=1 $settings \
	chroot "$root" bash -c "$command"
