#!/bin/sh
# no_page.sh - where npm's registry cannot be reached, the advice that is given then can be followed, in a build that
# is there, has failed or could not be configured. For the machine of run.sh: a clone that is built, without a network.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
results_begin
advice='make MESON_FLAGS=-Dweb=disabled'
fails() { ! "$@" >/root/no_page.txt 2>&1; }
has_page() { build/tenon --version >/dev/null && grep -q '/assets/index-' build/tenond; }
has_no_page() { build/tenon --version >/dev/null && ! has_page; }

expect no-page 'a build with the page' has_page
rm -rf web/dist web/node_modules tools/node/node_modules
echo '/* a change */' >>web/index.html
expect no-page 'its page cannot be made anew' fails env XDG_CACHE_HOME=/root/empty make
expect no-page 'it says what cannot be reached' grep -q 'packages.py: http.* cannot be fetched' /root/no_page.txt
expect no-page 'and what to do' grep -q "$advice" /root/no_page.txt
expect no-page 'which can be done' sh -c "XDG_CACHE_HOME=/root/empty $advice"
expect no-page 'now it has none' has_no_page
expect no-page 'make leaves it so' env XDG_CACHE_HOME=/root/empty make
expect no-page 'and has none' has_no_page
expect no-page 'it is installed as it is' make install DESTDIR=/root/installed
expect no-page 'below lib' [ -f /root/installed/usr/local/lib/pkgconfig/tenon.pc ]
git checkout -q web/index.html
expect no-page 'with what was fetched once it is made without a network' make MESON_FLAGS=-Dweb=enabled
expect no-page 'and is there' has_page

expect no-page 'what cannot be configured' fails tools/setup.sh /root/other -Dno-such-option=1
expect no-page 'is told' grep -q no-such-option /root/no_page.txt
expect no-page 'and can be afterwards' tools/setup.sh /root/other -Dtests=disabled
expect no-page 'again nothing is done' [ "$(tools/setup.sh /root/other -Dtests=disabled 2>&1)" = '' ]
expect no-page 'what it refuses then is told' fails tools/setup.sh /root/other -Dno-such-option=1
expect no-page 'and leaves it usable' ninja -C /root/other --quiet tenon
results_end
