#!/usr/bin/env python3
"""embed_web.py OUT.c DEPFILE enabled|disabled - web/dist as a C table (src/host/daemon/ui.h).

Each file is there once: compressed by libdeflate, which tenond needs anyway and which is 3 % better than zlib, where that is
smaller; the program unpacks it for the few who cannot. Refuses to go over the budget of ARCHITECTURE section 5.
"""
import ctypes
import hashlib
import os
import subprocess
import sys

BUDGET = 520_000  # bytes, compressed, all of web/dist together
LEVEL = 12  # the best of libdeflate
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WEB = os.path.join(ROOT, "web")
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
PACKED = (".woff2",)  # compressed already
NAMED = {c: "\\%03o" % c for c in range(256)}
NAMED.update({c: chr(c) for c in range(32, 127) if chr(c) not in '"\\?'})


class Packer:
    """gzip as libdeflate makes it: the same bytes from the same library."""

    def __init__(self):
        try:
            self.library = ctypes.CDLL("libdeflate.so.0")
        except OSError:
            sys.exit("embed_web.py: libdeflate.so.0 is missing, which tenond needs, too")
        self.library.libdeflate_alloc_compressor.restype = ctypes.c_void_p
        self.library.libdeflate_gzip_compress.restype = ctypes.c_size_t
        self.compressor = ctypes.c_void_p(self.library.libdeflate_alloc_compressor(LEVEL))

    def pack(self, plain):
        """Empty where it would not be smaller: a file of some words grows."""
        most = max(len(plain) - 1, 0)
        out = ctypes.create_string_buffer(most + 1)
        size = self.library.libdeflate_gzip_compress(
            self.compressor, plain, ctypes.c_size_t(len(plain)), out, ctypes.c_size_t(most))
        return out.raw[:size]


def literal(data):
    """A C string literal over several lines; a digit after an octal escape cannot extend it."""
    lines, line = [], ""
    for byte in data:
        line += NAMED[byte]
        if len(line) > 88:
            lines.append('\t"%s"' % line)
            line = ""
    lines.append('\t"%s"' % line)
    return "\n".join(lines)


def assets():
    dist = os.path.join(WEB, "dist")
    found, packer = [], Packer()
    for folder, _, names in os.walk(dist):
        for name in sorted(names):
            if not name.startswith("."):
                found.append(os.path.join(folder, name))
    for path in sorted(found):
        with open(path, "rb") as file:
            plain = file.read()
        suffix = os.path.splitext(path)[1]
        if suffix not in TYPES:
            sys.exit("embed_web.py: %s: no media type for '%s'" % (path, suffix))
        packed = plain if suffix in PACKED else packer.pack(plain) or plain
        where = "/" + os.path.relpath(path, dist)
        yield ("/" if where == "/index.html" else where), TYPES[suffix], plain, packed


def sources():
    """What a new build depends on; a folder counts, so that a new file does."""
    for folder, folders, names in os.walk(WEB):
        folders[:] = [f for f in folders if f not in ("node_modules", "node_modules.new", "dist", "dist.new")]
        if folder != WEB: # the build itself writes there
            yield folder
        for name in names:
            if name != ".lock":
                yield os.path.join(folder, name)
    yield os.path.abspath(__file__)
    yield os.path.join(ROOT, "tools/web.sh")
    yield os.path.join(ROOT, "examples/house.floorplan") # part of the page


def main(out, depfile, mode):
    entries, total = [], 0
    if mode == "enabled":
        done = subprocess.run([os.path.join(ROOT, "tools/web.sh"), "build"], check=False)
        if done.returncode != 0:
            sys.exit("embed_web.py: the page was not built (see above)")
        for path, media, plain, packed in assets():
            total += len(packed)
            etag = hashlib.sha256(plain).hexdigest()[:24]
            entries.append('{"%s", "%s", "\\"%s\\"", %d,\n{\n%s, %d}},\n' % (
                path, media, etag, len(plain), literal(packed), len(packed)))
        if total > BUDGET:
            sys.exit("embed_web.py: the page has %d bytes compressed; %d are allowed" % (total, BUDGET))
    text = ('/* Made by tools/embed_web.py: %d files, %d bytes compressed. */\n'
            '#include "host/daemon/ui.h"\n\nconst struct tn_ui_asset tn_ui_assets[] = {\n%s'
            '{NULL, NULL, NULL, 0, {NULL, 0}},\n};\n' % (len(entries), total, "".join(entries)))
    with open(out, "w", encoding="ascii") as file:
        file.write(text)
    with open(depfile, "w", encoding="utf-8") as file:
        file.write("%s: %s\n" % (out, " ".join(sorted(p.replace(" ", "\\ ") for p in sources()))))


main(*sys.argv[1:])
