#!/bin/sh
# Fetches the official JSON Schema test suite (MIT) from the Debian package that carries it, without
# installing anything: the suite is not part of this repository.
#
#   tools/fetch-schema-suite.sh build/schema-suite
#   TENON_SCHEMA_SUITE=$PWD/build/schema-suite build/src/schema_suite_test
set -eu

[ $# -eq 1 ] || { echo "usage: $0 DIRECTORY" >&2; exit 2; }
mkdir -p "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && apt-get -q download libtest-json-schema-acceptance-perl >/dev/null)
dpkg-deb -x "$work"/libtest-json-schema-acceptance-perl_*.deb "$work/out"
cp -R "$work/out/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance/tests/." "$1"
