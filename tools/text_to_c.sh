#!/bin/sh
# text_to_c.sh NAME FILE - a file as a C array NAME and its size NAME_size, on standard output.
set -eu
printf '/* Made by tools/text_to_c.sh; do not edit. */\n#include <stddef.h>\n'
printf 'extern const char %s[];\nextern const size_t %s_size;\n' "$1" "$1"
printf 'const char %s[] = {\n' "$1"
od -An -v -td1 "$2" | sed 's/  */ /g; s/^ //; s/ $//; s/ /, /g; s/$/,/'
printf '0};\nconst size_t %s_size = sizeof(%s) - 1;\n' "$1" "$1"
