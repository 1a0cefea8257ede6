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
	allow("mcp", "mcp base loop jsonrpc store tenon")
	allow("client", "client base loop jsonrpc transport mcp tenon")
	allow("draw", "draw base loop")
	allow("engine", "apps base loop jsonrpc store draw")
	allow("door", "apps base loop jsonrpc store draw mcp tenon")
	allow("plugins", "plugins base loop draw")
	allow("host", "host base loop transport jsonrpc mcp client store draw apps plugins tenon cli")
	allow("cli", "host base loop transport jsonrpc mcp client store draw apps plugins tenon cli")
	allow("public", "tenon")

	# Libraries that have one home, so that they can be replaced, or loaded late.
	home["uv.h"] = "loop transport host cli"
	home["sqlite3.h"] = "store"
	home["curl/curl.h"] = "plugins"
	home["cairo.h"] = "plugins"
	home["utf8proc.h"] = "engine"
	home["libdeflate.h"] = "draw"
	home["pcre2.h"] = "engine"
	home["sodium.h"] = "base transport mcp host"
}
function has_word(list, word) {
	return index(" " list " ", " " word " ") > 0
}
function app_of(path,   part) {
	split(path, part, "/")
	return part[1] == "apps" ? part[2] : ""
}
# The room that a file lives in; "" for programs that may include everything.
function room_of(file,   part, name) {
	if (file ~ /^include\// || file ~ /^examples\// || file ~ /^tests\/servers\/conformance/ ||
	    file == "bench/bench_server.c")
		return "public"
	if (file !~ /^src\//)
		return ""
	split(file, part, "/")
	if (part[2] != "apps")
		return part[2]
	name = file
	sub(/.*\//, "", name)
	return name ~ /^(app|api|tool_.*|resource_.*|prompt_.*)(_test)?\.[ch]$/ ? "door" : "engine"
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
	else if (folder == "apps" && app_of(substr(file, 5)) != app_of(path) && room ~ /engine|door/)
		complain("one app may not include another: \"" path "\"")
}
function complain(text) {
	print file ":" line ": " text
	bad = 1
}
END { exit bad }'
