#!/bin/sh
# sources.sh - the sources of ../harbour, copied here: by symbolic links they would be resolved, and get its React.
set -eu
cd "$(dirname "$0")"
for name in index.html vite.config.ts tsconfig.json skaffa.config.json skaffa.harness.config.json src skaffa packages; do
	rm -rf "./$name"
	cp -R "../harbour/$name" .
done
