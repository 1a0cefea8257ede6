#!/usr/bin/env python3
"""licences.py NOTICES.txt SBOM.json DEPFILE VERSION enabled|disabled - what is inside of Tenon's programs, and whose it is.

NOTICES.txt has the licence notices that copies must carry: libraries that are linked in as archives, fonts, and the
packages that the page is made of. SBOM.json names these and the shared libraries as SPDX 2.3 (spdx.github.io/spdx-spec).
Nothing is written down twice: what the page holds says the bundler (web/dist/.packages), versions and notices are
read where the packages are installed. The same sources give the same bytes. What cannot be found is a failure."""
import base64
import hashlib
import json
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WEB = os.path.join(ROOT, "web")
# Name, pkg-config's name, Debian's package, SPDX licence, how it gets into the programs.
LIBRARIES = [
    ("libuv", "libuv", "libuv1-dev", "MIT", "static"),
    ("libsodium", "libsodium", "libsodium-dev", "ISC", "static"),
    ("SQLite", "sqlite3", "libsqlite3-dev", "blessing", "dynamic"),
    ("PCRE2", "libpcre2-8", "libpcre2-dev", "BSD-3-Clause", "dynamic"),
    ("utf8proc", "libutf8proc", "libutf8proc-dev", "MIT", "dynamic"),
    ("libdeflate", "libdeflate", "libdeflate-dev", "MIT", "dynamic"),
    ("libcurl", "libcurl", "libcurl4-openssl-dev", "curl", "dynamic"),
    ("libsystemd", "libsystemd", "libsystemd-dev", "LGPL-2.1-or-later", "dynamic"),
    ("GNU C Library", None, "libc6-dev", "LGPL-2.1-or-later", "dynamic"),
]
# Built without them where they are missing.
OPTIONAL = {"libsystemd"}
# Of tenon-shaping.so, which is built where they are; listed without a version, so that the programs are the same bytes
# wherever they are built.
PLUGIN = [("HarfBuzz", "MIT"), ("FriBidi", "LGPL-2.1-or-later"), ("libpng", "libpng-2.0")]
# Of tenon-source.so: C from npm, compiled where it could be fetched.
GRAMMAR = os.path.join(ROOT, "tools/grammar")
FONT = ("DejaVu Sans", "fonts-dejavu-core", "Bitstream-Vera", os.path.join(ROOT, "src/draw/dejavu-licence.txt"))


def fail(sentence):
    sys.exit(f"licences.py: {sentence}")


def output_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


# ---- libraries and the font ----

def library(name, pkg_config, package, licence, linked):
    version = output_of("pkg-config", "--modversion", pkg_config) if pkg_config else ""
    version = version or output_of("dpkg-query", "-W", "-f", "${Version}", package)
    if not version:
        fail(f"the version of {name} is not known; is {package} installed?")
    notice = None
    if linked == "static":
        # Debian has the notice beside the package, others in /usr/share/licenses.
        places = [f"/usr/share/doc/{package}/copyright", f"/usr/share/licenses/{pkg_config}/LICENSE",
                  f"/usr/share/licenses/{pkg_config}/COPYING"]
        found = [place for place in places if os.path.isfile(place)]
        if not found:
            fail(f"the licence of {name} is in none of {', '.join(places)}")
        notice = read(found[0])
    return {"name": name, "version": version, "licence": licence, "linked": linked, "notice": notice}


def plugin_library(name, licence):
    return {"name": name, "version": "NOASSERTION", "licence": licence, "linked": "dynamic", "notice": None}


def font():
    name, package, licence, path = FONT
    version = output_of("dpkg-query", "-W", "-f", "${Version}", package) or "NOASSERTION"
    return {"name": name, "version": version, "licence": licence, "linked": "data", "notice": read(path)}


# ---- packages of npm ----

def notice_of(folder):
    for name in sorted(os.listdir(folder)):
        if re.match(r"(?i)(licen[cs]e|copying|notice)", name):
            return read(os.path.join(folder, name))
    return None


def npm_package(home, name, lock, linked):
    folder = os.path.join(home, "node_modules", name)
    about = json.loads(read(os.path.join(folder, "package.json")))
    locked = lock["packages"].get(f"node_modules/{name}", {})
    notice = notice_of(folder)
    if notice is None:
        fail(f"the package {name} has no licence file")
    return {"name": name, "version": about["version"], "licence": about.get("license", "NOASSERTION"),
            "linked": linked, "npm": True, "notice": notice, "integrity": locked.get("integrity")}


def page():
    path = os.path.join(WEB, "dist/.packages")
    if not os.path.isfile(path):
        fail("web/dist/.packages is missing: remove web/dist and build again")
    lock = json.loads(read(os.path.join(WEB, "package-lock.json")))
    return [npm_package(WEB, name, lock, "page") for name in read(path).split()]


def grammar():
    if not os.path.isdir(os.path.join(GRAMMAR, "node_modules")):
        return []
    lock = json.loads(read(os.path.join(GRAMMAR, "package-lock.json")))
    names = [place.partition("/")[2] for place in lock["packages"] if place]
    return [npm_package(GRAMMAR, name, lock, "static") for name in names]


# ---- the two files ----

WORDS = {"static": "linked into the programs", "data": "embedded", "page": "part of the page"}


def notices(parts, version):
    lines = [f"Tenon {version}", "", read(os.path.join(ROOT, "LICENSE")).strip(), "",
             "Inside of the programs are also:", ""]
    inside = [part for part in parts if part["notice"]]
    lines += [f"  {part['name']} {part['version']} ({part['licence']}), {WORDS[part['linked']]}" for part in inside]
    lines += ["", "Shared libraries of the system that they use, each with its own notice there:", ""]
    lines += [f"  {part['name']} ({part['licence']})" for part in parts if not part["notice"]]
    for part in inside:
        title = f"{part['name']} {part['version']}"
        lines += ["", "=" * 78, title, "=" * 78, "", part["notice"].strip()]
    return "\n".join(lines) + "\n"


def spdx_id(part):
    return "SPDXRef-Package-" + re.sub(r"[^A-Za-z0-9.-]+", "-", part["name"]).strip("-")


def licence_of(part):
    """Free text is no SPDX expression."""
    text = part["licence"]
    return text if re.fullmatch(r"[A-Za-z0-9.+() -]+", text) else "NOASSERTION"


def spdx_package(part):
    entry = {"name": part["name"], "SPDXID": spdx_id(part), "versionInfo": part["version"],
             "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
             "licenseDeclared": licence_of(part), "copyrightText": "NOASSERTION"}
    if part.get("npm"):
        where = part["name"].replace("@", "%40", 1)
        entry["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                  "referenceLocator": f"pkg:npm/{where}@{part['version']}"}]
    if (part.get("integrity") or "").startswith("sha512-"):
        digest = base64.b64decode(part["integrity"][len("sha512-"):]).hex()
        entry["checksums"] = [{"algorithm": "SHA512", "checksumValue": digest}]
    return entry


def relation(part):
    kinds = {"static": "STATIC_LINK", "dynamic": "DYNAMIC_LINK", "data": "CONTAINS", "page": "CONTAINS"}
    return {"spdxElementId": "SPDXRef-Package-tenon", "relationshipType": kinds[part["linked"]],
            "relatedSpdxElement": spdx_id(part)}


def created():
    seconds = os.environ.get("SOURCE_DATE_EPOCH") or output_of("git", "-C", ROOT, "log", "-1", "--format=%ct") or "0"
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(seconds)))


def sbom(parts, version):
    own = {"name": "tenon", "SPDXID": "SPDXRef-Package-tenon", "versionInfo": version,
           "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "MIT",
           "licenseDeclared": "MIT", "copyrightText": "NOASSERTION", "primaryPackagePurpose": "APPLICATION"}
    packages = [own] + [spdx_package(part) for part in parts]
    digest = hashlib.sha256(json.dumps(packages, sort_keys=True).encode()).hexdigest()
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"tenon-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/tenon-{version}-{digest[:32]}",
        "creationInfo": {"created": created(), "creators": [f"Tool: tenon-licences-{version}"]},
        "documentDescribes": ["SPDXRef-Package-tenon"], "packages": packages,
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                           "relatedSpdxElement": "SPDXRef-Package-tenon"}] + [relation(part) for part in parts],
    }


def main(notices_path, sbom_path, depfile, version, web):
    lock = os.path.join(WEB, "package-lock.json")
    if web == "enabled" and subprocess.run([os.path.join(ROOT, "tools/web.sh"), "build"], check=False).returncode != 0:
        fail("the page was not built (see above)")
    libraries = [entry for entry in LIBRARIES
                 if entry[0] not in OPTIONAL or output_of("pkg-config", "--modversion", entry[1])]
    parts = [library(*entry) for entry in libraries] + [plugin_library(*entry) for entry in PLUGIN]
    parts += grammar() + [font()] + (page() if web == "enabled" else [])
    with open(notices_path, "w", encoding="utf-8") as file:
        file.write(notices(parts, version))
    with open(sbom_path, "w", encoding="utf-8") as file:
        json.dump(sbom(parts, version), file, indent=1)
        file.write("\n")
    with open(depfile, "w", encoding="utf-8") as file:
        file.write(f"{notices_path}: {os.path.abspath(__file__)} {lock}\n")


main(*sys.argv[1:])
