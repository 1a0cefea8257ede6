#!/usr/bin/env python3
"""threaded_tests.py [--programs] BUILD - the unit tests that can reach more than one thread, a name a line.
With --programs what must be built for them, as Ninja names it.

Threads begin in src/loop alone (jobs), and in tests that start one themselves. So a test counts when one of its own files,
or a header that they include however far down, names the loop, libuv's threads or POSIX threads. Engines that know no loop
have nothing for the thread sanitizer to find."""
import json
import os
import re
import subprocess
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)
THREADS = {"pthread.h", "threads.h", "uv.h", "loop/loop.h", "tenon/client.h", "tenon/server.h"}


def includes(path, known={}):
    """What a file includes, by the names that it uses."""
    if path not in known:
        with open(path, encoding="utf-8", errors="replace") as file:
            known[path] = INCLUDE.findall(file.read())
    return known[path]


def find(name, folder):
    """The file of ours that an include names, or None."""
    for base in (folder, "src", "include"):
        path = os.path.normpath(os.path.join(base, name))
        if os.path.isfile(path):
            return path
    return None


def reaches_threads(sources):
    """Whether one of these files leads to a thread."""
    todo, seen = list(sources), set(sources)
    while todo:
        path = todo.pop()
        for name in includes(path):
            if name in THREADS:
                return True
            found = find(name, os.path.dirname(path))
            if found and found not in seen:
                seen.add(found)
                todo.append(found)
    return False


def main():
    """Prints the names."""
    top = os.getcwd()
    build = os.path.abspath(sys.argv[-1])
    ask = ["meson", "introspect", build]
    tests = json.loads(subprocess.check_output([*ask, "--tests"]))
    targets = {target["id"]: target for target in json.loads(subprocess.check_output([*ask, "--targets"]))}
    sources = {}
    for target in targets.values():
        own = [os.path.relpath(path, top) for group in target["target_sources"] for path in group.get("sources", [])]
        for file in target["filename"]:
            sources[file] = [path for path in own if path.endswith(".c") and os.path.isfile(path)]
    lines = []
    for test in tests:
        unit = any(suite.endswith("unit") for suite in test["suite"])
        if not unit or not reaches_threads(sources.get(test["cmd"][0], [])):
            continue
        if "--programs" in sys.argv:
            lines += [os.path.relpath(file, build) for needed in test["depends"] for file in targets[needed]["filename"]]
        else:
            lines.append(test["name"])
    print("\n".join(dict.fromkeys(lines)))


main()
