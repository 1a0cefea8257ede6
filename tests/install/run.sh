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

# The user's folders are ours for this test; nothing of a daemon that runs outside is touched.
mkdir -m 700 "$out/run" "$out/config" "$out/state" "$out/home"
# What is compiled again comes from the cache that there is.
export XDG_CACHE_HOME=${XDG_CACHE_HOME:-$HOME/.cache}
export HOME=$out/home XDG_RUNTIME_DIR=$out/run XDG_CONFIG_HOME=$out/config XDG_STATE_HOME=$out/state
unset DISPLAY WAYLAND_DISPLAY

serves() {
	curl -sf --max-time 20 -H "Authorization: Bearer $2" -H 'Content-Type: application/json' \
		-d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' "$1" | grep -q terraform_explain
}
gone() { ! curl -s --max-time 5 -o /dev/null "$1"; }
url_of() { sed -n 's/^  URL  *//p' "$1"; }

stage packages python3 tests/install/packages.py

expect install 'make start' sh -c "make start >'$out/start.txt'"
url=$(url_of "$out/start.txt")
expect install 'it explains the sample' grep -qx 'Summary: 7 changes' "$out/start.txt"
expect install 'the daemon it left serves' serves "$url" "$(build/tenon token)"
page=$(sed -n 's/^  Page  *//p' "$out/start.txt")
expect install 'the page is there' sh -c "curl -sf --max-time 20 '${page%%#*}' | grep -qi '<!doctype html'"
expect install 'its address has the key behind the #' sh -c "case '$page' in *'#token='*) ;; *) exit 1 ;; esac"
expect install 'the diagram of the demo is there, below home' [ -e "$HOME/.local/state/tenon/demo/three-tier/studio.json" ]
expect install 'the plan of the demo is there' sh -c "build/tenon read plan://plans | grep -q pln_"
expect install 'the manifest is there (FR-34)' sh -c "python3 -c 'import json, sys
servers = json.load(open(sys.argv[1]))[\"mcpServers\"]
assert servers[\"tenon-plan\"][\"command\"] == sys.argv[2], servers' '$out/config/tenon/mcp.json' '$build/tenon'"
expect install 'a relay answers' sh -c "printf '%s\n' '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}' |
	build/tenon mcp | grep -q serverInfo"
expect install 'make start again keeps it' sh -c "make start >'$out/again.txt'"
expect install 'the same URL' [ "$(url_of "$out/again.txt")" = "$url" ]
expect install 'no file of it is for others' [ -z "$(find "$out/run/tenon" "$out/state/tenon" "$out/config/tenon" -type f -perm /077)" ]
expect install 'make stop' make stop
expect install 'and it is gone' gone "$url"
expect install 'make stop again' make stop

# Somebody has the port already: the next free one.
python3 -c 'import socket, time
s = socket.create_server(("127.0.0.1", 7777)); time.sleep(30)' &
taken=$!
sleep 0.5
expect install 'make start beside a taken port' sh -c "make start >'$out/taken.txt'"
expect install 'takes the next one' serves "$(url_of "$out/taken.txt")" "$(build/tenon token)"
expect install 'make stop ends that one' make stop
kill "$taken" && wait "$taken" 2>/dev/null

expect install 'make install' make install DESTDIR="$out/root" PREFIX=/opt/tenon
root=$out/root/opt/tenon
expect install 'tenon runs from there' "$root/bin/tenon" --version
expect install 'and explains from there' sh -c "'$root/bin/tenon' plan explain --count-only \
	<tests/data/plan-examples/02-mixed-replace.txt | grep -qx 'Summary: 7 changes'"
# Two grammars of 1.4 MB are in the plug-in that reads TypeScript: the measure is older, and about what is always there.
size_kib=$(du -sk --exclude=tenon-source.so "$root" | cut -f 1)
source_kib=$(cd "$root" && du -ck $(find . -name tenon-source.so) /dev/null | tail -n 1 | cut -f 1)
expect install "less than 15 MB ($size_kib KiB, without the $source_kib KiB of tenon-source.so)" [ "$size_kib" -lt 15360 ]
expect install "and that less than 4 MB" [ "$source_kib" -lt 4096 ]
expect install 'a daemon starts from there' "$root/bin/tenon" up
here=$(sed -n 's/.*"url": *"\([^"]*\)".*/\1/p' "$XDG_RUNTIME_DIR/tenon/tenond.json")
expect install 'and has the page' sh -c "curl -sf --max-time 20 '$here/' | grep -qi '<!doctype html'"
expect install 'and the notices of what is inside of it' sh -c "curl -sf --max-time 20 '$here/licences.txt' |
	grep -q '^svelte '"
expect install 'and ends' "$root/bin/tenon" down
expect install 'the list of its parts (SPDX) names all of them, with their notices' python3 tests/install/sbom.py "$root"
expect install 'and programs of others read it: licences, packages, relationships' tools/node.sh tests/clients/sbom.mjs \
	"$root/share/doc/tenon/tenon.spdx.json" "$root"
expect install 'user units' sh -c "grep -qx 'ExecStart=/opt/tenon/bin/tenond --daemon' \
	'$root/lib/systemd/user/tenond.service' && [ -f '$root/lib/systemd/user/tenond.socket' ]"
expect install 'manual pages' sh -c "find '$root' -name 'tenon*.1*' | grep -q ."
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
