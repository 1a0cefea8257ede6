#!/bin/sh
# grammar.sh - what tools/grammar/package-lock.json names: tree-sitter and grammars, C that the build compiles. Does nothing,
# fast, when it is there. Without the registry it gives up after a minute, and the build goes on without.
here=$(cd "$(dirname "$0")" && pwd)
timeout 60 python3 "$here/packages.py" "$here/grammar"
