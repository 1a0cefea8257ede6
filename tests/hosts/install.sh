#!/bin/sh
# install.sh - Node 22, the test clients and the AI hosts that tests/hosts/package-lock.json names, once per lock file. They are large (430 MB
# packed): only this test fetches them.
set -eu
cd "$(dirname "$0")"
../clients/install.sh # Node, and what counts tokens
../../tools/packages.py .
