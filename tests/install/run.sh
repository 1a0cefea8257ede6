#!/usr/bin/env bash
# run.sh - what a user gets: "make start" and "make stop", "make install" and a program built against
# the installed library in another folder.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
build=$PWD/build
out=$build/install-test
rm -rf "$out"
mkdir -p "$out"

serves() {
	curl -sf --max-time 20 -H "Authorization: Bearer $2" -H 'Content-Type: application/json' \
		-d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' "$1" | grep -q terraform_explain
}
gone() { ! curl -s --max-time 5 -o /dev/null "$1"; }

expect install 'make start' sh -c "make start >'$out/start.txt'"
url=$(sed -n 's/^  URL  *//p' "$out/start.txt")
token=$(sed -n 's/^  token  *//p' "$out/start.txt")
expect install 'it explains the sample' grep -qx 'Summary: 7 changes' "$out/start.txt"
expect install 'the server it left serves' serves "$url" "$token"
expect install 'make start again keeps it' sh -c "make start >'$out/again.txt'"
expect install 'the same URL' grep -qF "$url" "$out/again.txt"
expect install 'no file of it is for others' [ -z "$(find build/run -type f -perm /077)" ]
expect install 'make stop' make stop
expect install 'and it is gone' gone "$url"
expect install 'make stop again' make stop

# Somebody has the port already: the next free one.
python3 -c 'import socket, time
s = socket.create_server(("127.0.0.1", 7777)); time.sleep(30)' &
taken=$!
sleep 0.5
expect install 'make start beside a taken port' sh -c "make start >'$out/taken.txt'"
expect install 'takes the next one' serves "$(sed -n 's/^  URL  *//p' "$out/taken.txt")" \
	"$(sed -n 's/^  token  *//p' "$out/taken.txt")"
expect install 'make stop ends that one' make stop
kill "$taken" && wait "$taken" 2>/dev/null

expect install 'make install' make install DESTDIR="$out/root" PREFIX=/opt/tenon
root=$out/root/opt/tenon
expect install 'tenon runs from there' "$root/bin/tenon" --version
expect install 'and explains from there' sh -c "'$root/bin/tenon' plan explain --count-only \
	<tests/data/plan-examples/02-mixed-replace.txt | grep -qx 'Summary: 7 changes'"
pc=$(find "$root" -name tenon.pc | head -n 1)
expect install 'pkg-config file' [ -n "$pc" ]
export PKG_CONFIG_PATH=${pc%/*} PKG_CONFIG_SYSROOT_DIR=$out/root
cp examples/tiny-server.c "$out/mine.c"
# shellcheck disable=SC2046 # pkg-config prints words
expect install 'a program builds against the shared library' gcc -std=c11 -Wall -Wextra -Werror \
	-D_GNU_SOURCE "$out/mine.c" -o "$out/mine" $(pkg-config --cflags --libs tenon)
lib=$(find "$root" -name 'libtenon.so.0' -printf '%h\n' | head -n 1)
answer=$(printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}' |
	LD_LIBRARY_PATH=$lib "$out/mine")
expect install 'and answers' sh -c "case '$answer' in *protocolVersion*) ;; *) exit 1 ;; esac"
static_libs=$(pkg-config --static --libs libsodium libuv-static)
# shellcheck disable=SC2046,SC2086
expect install 'a program builds against the static library' gcc -std=c11 -D_GNU_SOURCE \
	"$out/mine.c" -o "$out/static" $(pkg-config --cflags tenon) "${pc%/*/*}/libtenon.a" \
	$static_libs -lm
expect install 'and needs no library of ours' sh -c "! ldd '$out/static' | grep -q tenon"
expect install 'C++ takes the headers' sh -c "command -v g++ >/dev/null || exit 0
	printf '#include <tenon/tenon.h>\nint main() { return 0; }\n' >'$out/a.cc'
	g++ -fsyntax-only \$(pkg-config --cflags tenon) '$out/a.cc'"
results_end
