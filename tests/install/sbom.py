#!/usr/bin/env python3
"""sbom.py ROOT - what `make install` says of its parts, held against the programs themselves: every shared library that
the loader finds, every archive and every package of the page is in tenon.spdx.json, and what is inside has its notice.

The rules of SPDX 2.3 that are checked: the members that a document and a package must have, ids that are unique and
of the right form, relationships between things that exist, known kinds, dates and digests as they must be written."""
import json
import os
import re
import subprocess
import sys

root = sys.argv[1]
home = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
with open(os.path.join(root, "share/doc/tenon/tenon.spdx.json"), encoding="utf-8") as file:
    document = json.load(file)
with open(os.path.join(root, "share/doc/tenon/licences.txt"), encoding="utf-8") as file:
    notices = file.read()

DOCUMENT = {"spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo", "documentDescribes",
            "packages", "relationships"}
PACKAGE = {"name", "SPDXID", "downloadLocation"}
# Which library is whose: the beginning of the loader's name.
SHARED = {"libsqlite3": "SQLite", "libpcre2-8": "PCRE2", "libutf8proc": "utf8proc", "libdeflate": "libdeflate",
          "libcurl": "libcurl", "libc": "GNU C Library", "libm": "GNU C Library", "libdl": "GNU C Library",
          "libpthread": "GNU C Library", "ld-linux-x86-64": "GNU C Library", "ld-linux-aarch64": "GNU C Library",
          "libharfbuzz": "HarfBuzz", "libfribidi": "FriBidi", "libpng16": "libpng",
          "libsystemd": "libsystemd", "libutil": "GNU C Library", "libuv": "libuv", "libsodium": "libsodium"}


def need(true, sentence):
    if not true:
        sys.exit(f"sbom.py: {sentence}")


def needed(path):
    """What the file itself asks for, not what its libraries ask for in turn."""
    text = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[([^\]]+?)\.so", text)


need(set(document) >= DOCUMENT, f"members are missing: {DOCUMENT - set(document)}")
need(document["spdxVersion"] == "SPDX-2.3" and document["dataLicense"] == "CC0-1.0", "version or data licence")
need(re.fullmatch(r"https?://[^\s#]+", document["documentNamespace"]), "the namespace is no URI without a fragment")
need(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document["creationInfo"]["created"]), "the date")
need(all(re.match(r"(Tool|Person|Organization): ", c) for c in document["creationInfo"]["creators"]), "creators")
ids = [document["SPDXID"]]
for package in document["packages"]:
    need(set(package) >= PACKAGE, f"{package}: members are missing")
    need(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", package["SPDXID"]), f"{package['SPDXID']} is no id")
    need(package["filesAnalyzed"] is False, "nothing says which files")
    need(package.get("versionInfo"), f"{package['name']} has no version")
    need(package["licenseDeclared"] != "NOASSERTION", f"{package['name']} has no licence")
    for checksum in package.get("checksums", []):
        need(checksum["algorithm"] == "SHA512" and re.fullmatch(r"[0-9a-f]{128}", checksum["checksumValue"]), "digest")
    ids.append(package["SPDXID"])
need(len(ids) == len(set(ids)), "an id stands twice")
for one in document["relationships"]:
    need(one["spdxElementId"] in ids and one["relatedSpdxElement"] in ids, f"{one}: no such thing")
    need(one["relationshipType"] in ("DESCRIBES", "STATIC_LINK", "DYNAMIC_LINK", "CONTAINS"), f"{one}: no such kind")
need({one["relatedSpdxElement"] for one in document["relationships"]} | {document["SPDXID"]} == set(ids),
     "a part is related to nothing")

names = {package["name"] for package in document["packages"]}
programs = [os.path.join(folder, name) for folder, _, files in os.walk(root) for name in files
            if name in ("tenon", "tenond", "tenon-proof") or ".so" in name]
programs = [path for path in programs if open(path, "rb").read(4) == b"\x7fELF"]
need(len(programs) >= 5, f"only {programs} were found")
for path in programs:
    for library in needed(path):
        if not library.startswith("libtenon"):
            need(SHARED.get(library) in names, f"{os.path.basename(path)} uses {library}, which no part is")
with open(os.path.join(home, "web/dist/.packages"), encoding="utf-8") as file:
    page = file.read().split()
need(len(page) > 10 and set(page) <= names, f"of the page: {set(page) - names}")
for part in page + ["libuv", "libsodium", "DejaVu Sans"]:
    need(re.search(rf"^{re.escape(part)} \S+\n=+$", notices, re.MULTILINE), f"{part} has no notice")
told = subprocess.run([os.path.join(root, "bin/tenon"), "licences"], capture_output=True, text=True, check=True).stdout
need(told == notices, "tenon licences says something else")
