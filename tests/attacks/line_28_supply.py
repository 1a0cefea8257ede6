#!/usr/bin/env python3
"""line_28_supply.py - what is built of others' work is pinned, hashed and named, and what we ship says nothing of the machine
that built it. Two builds with the same bytes: tools/reproducible.sh; the list of parts against what is really linked, and
by a validator that is not ours: tests/install/sbom.py, tests/clients/sbom.mjs."""
import hashlib
import json
import os
import re
import subprocess

import line
import check
import daemon


def tracked(*patterns):
    done = subprocess.run(["git", "ls-files", "--", *patterns], cwd=line.ROOT, capture_output=True, encoding="utf-8", check=True)
    return [name for name in done.stdout.split() if os.path.exists(os.path.join(line.ROOT, name))]


def text_of(name):
    with open(os.path.join(line.ROOT, name), encoding="utf-8") as file:
        return file.read()


def locks():
    names = tracked("*package-lock.json")
    check.need(len(names) >= 4, f"only {names} were looked at")
    for name in names:
        with line.step(f"{name}: every package has its hash, one version, and comes from the registry"):
            packages = json.loads(text_of(name))["packages"]
            own = packages.pop("")
            for path, package in packages.items():
                if package.get("link") or package.get("inBundle") or not path.startswith("node_modules/"):
                    continue
                check.need(re.match(r"sha512-[A-Za-z0-9+/]{86}==$", package.get("integrity", "")), f"{path} has no hash")
                check.need(re.match(r"(https://registry\.npmjs\.org/[@a-z0-9._/-]+/-/[\w.-]+\.tgz)?$", package.get("resolved", "")), path)
            manifest = json.loads(text_of(name.replace("package-lock.json", "package.json")))
            for kind in ("dependencies", "devDependencies"):
                check.need(manifest.get(kind, {}) == own.get(kind, {}), f"{kind} of the lock are not those of package.json")
                for package, version in manifest.get(kind, {}).items():
                    ours = re.match(r"file:[a-z/]+$", version)  # a folder of this one
                    check.need(ours or re.match(r"\d+\.\d+\.\d+[\w.-]*$", version), f"{package} {version} is a range")
    with line.step("npm installs what the lock says, and runs no scripts of packages"):
        scripts = "".join(text_of(name) for name in tracked("tools/*.sh", "tests/*.sh", "tests/*/*.sh"))
        commands = re.findall(r"^[^#\n]*\bnpm\S* (?:\S+ )*?(ci|install|i|add|update)\b[^\n]*", scripts, re.M)
        check.need(set(commands) <= {"ci"}, commands)


def downloads():
    with line.step("nothing is fetched into a shell, nor by plain HTTP, nor without a hash"):
        names = tracked("tools/*", "tests/*.sh", "tests/*/*.sh", "Makefile", "meson.build", "*/meson.build", ".ci/*")
        check.need(len(names) > 80, f"only {len(names)} were looked at")
        for name in names:
            try:
                text = text_of(name)
            except (UnicodeDecodeError, IsADirectoryError):
                continue
            for row in text.split("\n"):
                if row.lstrip().startswith(("#", "//", "*")):
                    continue
                check.need(not re.search(r"(curl|wget)[^|]*\|\s*(sudo )?(ba)?sh\b", row), f"{name}: {row}")
                check.need(not re.search(r"(curl|wget)[^'\"]*['\"]?http://(?!127\.0\.0\.1|localhost|\$|\[)", row), f"{name}: {row}")
                check.need("--allow-unauthenticated" not in row and "--no-check-certificate" not in row and
                           not re.search(r"curl .*( -k | --insecure)", row), f"{name}: {row}")
        check.need("wrap-git" not in "".join(text_of(name) for name in tracked("subprojects/*.wrap")), "a wrap without a hash")


def sanitizer_runtime():
    """Where the compiler has the library of a sanitized build (tools/build_asan.sh); no build for users has it."""
    if not check.sanitized():
        return []
    return subprocess.run(["clang", "-print-runtime-dir"], capture_output=True, encoding="utf-8", check=True).stdout.split()


def programs():
    shipped = [daemon.TENON, daemon.TENOND, os.path.join(line.BUILD, "tenon-proof")]
    with line.step("no shipped program looks for libraries where somebody else may put them"):
        for path in shipped:
            said = subprocess.run(["readelf", "-d", path], capture_output=True, encoding="utf-8", check=True).stdout
            for found in re.findall(r"(?:RPATH|RUNPATH).*\[(.*)\]", said):
                check.need(all(part.startswith(("$ORIGIN", line.BUILD)) or part in sanitizer_runtime()
                               for part in found.split(":")), found)
    if check.sanitized():
        return  # a sanitizer wants its own paths; release builds are looked at by tools/reproducible.sh, too
    with line.step("no shipped program has the time of its build in it"):
        for path in shipped:
            with open(path, "rb") as file:
                data = file.read()
            check.need(not re.search(rb"(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ 123]\d 20[23]\d", data), f"{path}: a date")


def own_words():
    """The tools that others check us by answer the same twice, and name what they should."""
    with daemon.Home() as home:
        with line.step("tenon licences: the same each time, with the notice of each part of the page and of each library"):
            first = home.tenon("licences").stdout
            check.need(first == home.tenon("licences").stdout, "it differs")
            for name in ("svelte", "xterm", "codemirror", "libuv", "sqlite", "Inter", "DejaVu"):
                check.need(name.lower() in first.lower(), f"{name} is missing")
            check.need(hashlib.sha256(first.encode()).hexdigest() and len(first) > 10000, len(first))


def main():
    for part in (locks, downloads, programs, own_words):
        part()
    line.end()


main()
