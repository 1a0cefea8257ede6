#!/usr/bin/env python3
"""programs.py BUILD - what is built by default without the programs that only Meson's tests run, as Ninja names it.

Meson builds those of tests by default, too: more than a third of what is compiled."""
import json
import os
import subprocess
import sys


def main():
    """Prints the names, one a line."""
    build = os.path.abspath(sys.argv[1])
    ask = lambda what: json.loads(subprocess.check_output(["meson", "introspect", build, what]))
    only = {test["cmd"][0] for test in ask("--tests") if {"unit", "fuzz-replay"} & {suite.split(":")[-1] for suite in test["suite"]}}
    for target in ask("--targets"):
        if target["build_by_default"] and not only & set(target["filename"]):
            print("\n".join(os.path.relpath(file, build) for file in target["filename"]))


main()
