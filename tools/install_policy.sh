#!/bin/sh
# install_policy.sh TENON_PROOF - installs polkit's policy file for consent.proof = polkit.
#
# polkit reads it at one place, whatever the prefix, and shows questions for the users that it names: those whom
# the installed file names stay, and whoever runs sudo is added. Needs root, unless DESTDIR is set.
set -eu
folder=${DESTDIR:-}/usr/share/polkit-1/actions
file=$folder/io.tenon.consent.policy
if [ -z "${DESTDIR:-}" ] && [ "$(id -u)" != 0 ]; then
	echo "not installed, which root alone can: $file (for consent.proof = polkit)"
	exit 0
fi
users=$(grep -o 'unix-user:[A-Za-z0-9._-]*' "$file" 2>/dev/null | cut -d: -f2) || users=
case ${SUDO_USER:-root} in
root) ;;
*[!A-Za-z0-9._-]*) echo "not named in the policy, because of its letters: $SUDO_USER (tenon-proof --policy)" >&2 ;;
*) [ -n "${DESTDIR:-}" ] || users="$users $SUDO_USER" ;;
esac
mkdir -p "$folder"
trap 'rm -f "$file.new"' EXIT
# Meson says where a program lies as seen from the build folder.
case $1 in
/*) proof=$1 ;;
*) proof=${MESON_BUILD_ROOT:-.}/$1 ;;
esac
# shellcheck disable=SC2046,SC2086 # one word a user
"$proof" --policy $(printf '%s\n' $users | sort -u) >"$file.new"
chmod 644 "$file.new"
mv "$file.new" "$file"
