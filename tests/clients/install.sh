#!/bin/sh
# install.sh - Node 22 and the clients that tests/clients/package-lock.json names, once per lock file.
set -eu
cd "$(dirname "$0")"
../../tools/node.sh --fetch
../../tools/packages.py .
