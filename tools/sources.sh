#!/bin/sh
# sources.sh - the C files that are ours, one per line: tracked ones and new ones not yet added.
cd "$(dirname "$0")/.." || exit 1
git ls-files --cached --others --exclude-standard -- '*.c' '*.h' | sort -u | while read -r file; do
	[ -f "$file" ] && printf '%s\n' "$file"
done
