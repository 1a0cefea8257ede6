#!/bin/sh
# layers.sh - who may include whom: the table of ARCHITECTURE section 2, checked.
# Prints file:line: message for each include that the table does not allow, and exits 1.
set -eu
cd "$(dirname "$0")/.."

tools/sources.sh | xargs grep -nH '^[[:space:]]*#[[:space:]]*include' | awk '
function allow(folder, list,   i, n, part) {
	n = split(list, part, " ")
	for (i = 1; i <= n; i++)
		allowed[folder, part[i]] = 1
}
BEGIN {
	# A folder may include itself and these. "tenon" is the public API, tenon/error.h is for all.
	allow("base", "base")
	allow("loop", "loop base")
	allow("transport", "transport base loop jsonrpc")
	allow("jsonrpc", "jsonrpc base")
	allow("store", "store base loop jsonrpc")
	allow("hold", "hold base loop jsonrpc store")
	allow("mcp", "mcp base loop jsonrpc store tenon")
	allow("client", "client base loop jsonrpc transport mcp tenon")
	allow("draw", "draw base loop")
	allow("engine", "apps base loop jsonrpc store hold draw")
	allow("door", "apps base loop jsonrpc store hold draw mcp tenon")
	allow("plugins", "plugins base loop draw apps")
	allow("gateway", "gateway base loop jsonrpc transport")
	allow("serve", "serve base loop transport jsonrpc mcp tenon")
	allow("host", "host serve gateway base loop transport jsonrpc mcp client store hold draw apps plugins tenon")
	allow("cli", "host serve gateway base loop transport jsonrpc mcp client store hold draw apps plugins tenon cli")
	allow("proof", "proof base jsonrpc")
	allow("public", "tenon")

	# The floors of a house, from the ground up: a room may include itself and those before it;
	# "." is the files that stand in no room.
	floors("apps/plan", "read explain . service mcp")
	floors("apps/studio", ". registry hcl document generate status cost project check edit run picture import mcp")
	floors("apps/terminal", "redact settings sandbox screen pty output shell policy history session live mcp")
	floors("apps/floorplan", "language plan check picture edit exchange mcp lsp")
	floors("apps/workbench", "values edit source registry graph drafts config launch capture sessions save workspace mcp")
	floors("host", ". record settings person daemon")
	floors("cli", "shared relay daemon call plan terminal floorplan studio workbench install doctor .")

	# Libraries that have one home, so that they can be replaced, or loaded late.
	home["uv.h"] = "loop transport serve host cli"
	home["sqlite3.h"] = "store"
	home["tree_sitter/api.h"] = "plugins"
	home["curl/curl.h"] = "plugins"
	home["hb.h"] = "plugins"
	home["hb-ot.h"] = "plugins"
	home["fribidi.h"] = "plugins"
	home["png.h"] = "plugins"
	home["utf8proc.h"] = "engine plugins"
	home["libdeflate.h"] = "draw host"
	home["pcre2.h"] = "engine"
	home["systemd/sd-bus.h"] = "proof"
	home["fido.h"] = "proof"
	home["sodium.h"] = "base transport mcp serve host"
}
function floors(house, list,   i, n, part) {
	n = split(list, part, " ")
	for (i = 1; i <= n; i++)
		floor[house, part[i]] = i
}
# The house that a path from src/ stands in: "apps/plan", "host".
function house_of(path,   part) {
	split(path, part, "/")
	return part[1] == "apps" ? part[1] "/" part[2] : part[1]
}
# Its room there; "." for none.
function room_in(house, path,   part) {
	split(substr(path, length(house) + 2), part, "/")
	return part[2] == "" ? "." : part[1]
}
function has_word(list, word) {
	return index(" " list " ", " " word " ") > 0
}
function app_of(path,   part) {
	split(path, part, "/")
	return part[1] == "apps" ? part[2] : ""
}
# The room that a file lives in; "" for programs that may include everything.
function room_of(file,   part) {
	if (file ~ /^include\// || file ~ /^examples\// || file ~ /^tests\/servers\/conformance/ ||
	    file == "bench/bench_server.c")
		return "public"
	if (file !~ /^src\//)
		return ""
	split(file, part, "/")
	if (part[2] != "apps")
		return part[2]
	return part[4] == "mcp" || file ~ /^src\/apps\/(plan|workbench\/edit)\/api(_test)?\.c$/ ? "door" : "engine"
}
{
	file = $0; sub(/:.*/, "", file)
	rest = substr($0, length(file) + 2)
	line = rest; sub(/:.*/, "", line)
	room = room_of(file)
	if (match($0, /"[^"]*"/)) {
		path = substr($0, RSTART + 1, RLENGTH - 2)
		is_system = 0
	} else if (match($0, /<[^>]*>/)) {
		path = substr($0, RSTART + 1, RLENGTH - 2)
		is_system = 1
	} else {
		next
	}
	if (path ~ /(^|\/)\.\.\//) {
		complain("\"" path "\": write the path from src/, without ..")
		next
	}
	if (room == "")
		next
	if (is_system && path !~ /^tenon\//) {
		if (path in home && !has_word(home[path], room))
			complain("<" path "> belongs to: " home[path])
		next
	}
	if (path !~ /\// || path == "tenon/error.h")
		next
	folder = path; sub(/\/.*/, "", folder)
	if (!((room, folder) in allowed))
		complain(room " may not include \"" path "\"")
	else if (house_of(path) == house_of(substr(file, 5)) && !goes_down(substr(file, 5), path))
		complain("a room above this one, or none that this script knows: \"" path "\"")
	else if (folder == "apps" && app_of(substr(file, 5)) != app_of(path) && room ~ /engine|door/)
		complain("one app may not include another: \"" path "\"")
}
# Whether an include inside a house goes to the same floor or down. Tests may look from above.
function goes_down(file, path,   house, from, to) {
	house = house_of(file)
	from = room_in(house, file)
	to = room_in(house, path)
	if (path == house "/limits.h") # the ground that all its rooms stand on
		return 1
	if (file ~ /_(test|kit)\.[ch]$/ || (!((house, from) in floor) && !((house, to) in floor)))
		return 1
	return (house, from) in floor && (house, to) in floor && floor[house, from] >= floor[house, to]
}
function complain(text) {
	print file ":" line ": " text
	bad = 1
}
END { exit bad }'
