#!/usr/bin/env python3
"""embed_adapters.py OUT.c DEPFILE enabled|disabled - web/adapters/dist as a C table (src/host/daemon/adapter_files.h)."""
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ADAPTERS = os.path.join(ROOT, "web/adapters")
DIST = os.path.join(ADAPTERS, "dist")
NAMED = {c: "\\%03o" % c for c in range(256)}
NAMED.update({c: chr(c) for c in range(32, 127) if chr(c) not in '"\\?'})


def literal(data):
    """A C string literal over several lines; a digit after an octal escape cannot extend it."""
    text = [NAMED[byte] for byte in data]
    return "\n".join('\t"%s"' % "".join(text[at:at + 80]) for at in range(0, len(text), 80))


def files():
    for name in sorted(os.listdir(DIST)):
        if not name.startswith("."):
            with open(os.path.join(DIST, name), "rb") as file:
                yield name, file.read()


def sources():
    """What a new build depends on."""
    for folder, folders, names in os.walk(ADAPTERS):
        folders[:] = [f for f in folders if f != "dist"]
        for name in names:
            yield os.path.join(folder, name)
    yield os.path.abspath(__file__)
    yield os.path.join(ROOT, "tools/adapters.sh")


def main(out, depfile, mode):
    entries = []
    if mode == "enabled":
        if subprocess.run([os.path.join(ROOT, "tools/adapters.sh")], check=False).returncode != 0:
            sys.exit("embed_adapters.py: the adapters were not built (see above)")
        entries = ['{"%s", {\n%s, %d}},\n' % (name, literal(data), len(data)) for name, data in files()]
    with open(out, "w", encoding="ascii") as file:
        file.write('/* Made by tools/embed_adapters.py: %d files. */\n#include "host/daemon/adapter_files.h"\n\n'
                   'const struct tn_adapter_file tn_adapter_files[] = {\n%s{NULL, {NULL, 0}},\n};\n'
                   % (len(entries), "".join(entries)))
    with open(depfile, "w", encoding="utf-8") as file:
        file.write("%s: %s\n" % (out, " ".join(sorted(p.replace(" ", "\\ ") for p in sources()))))


main(*sys.argv[1:])
