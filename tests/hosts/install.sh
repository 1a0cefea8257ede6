#!/bin/sh
# install.sh - Node 22 and the AI hosts that tests/hosts/package-lock.json names, once per lock file. They are large (430 MB
# packed): only this test fetches them.
set -eu
cd "$(dirname "$0")"
../../tools/node.sh --fetch
../../tools/packages.py .
