#!/usr/bin/env bash
# units.sh - types and unit tests of web/, without a browser.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
expect web 'types, and the unit tests of web/' tools/web.sh check
results_end
