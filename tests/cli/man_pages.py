#!/usr/bin/env python3
"""man_pages.py TENON - the manual pages say what the verbs say of themselves, and nothing else.

Every verb is in the synopsis of a page; every option of its --help is in that page; every option that
a page names is one of its verbs'. groff, where it is there, finds nothing wrong with the pages.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402

TENON = sys.argv[1]
ROOT = os.path.join(os.path.dirname(__file__), "../..")
SUITE = "man-pages"
EVERYWHERE = {"--help", "--version"}


def run(*argv):
    done = subprocess.run(argv, capture_output=True, encoding="utf-8", timeout=30, check=False,
                          stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def options_of(verb):
    """Of its --help; of those of its commands, too (tenon plan explain)."""
    _, text, _ = run(TENON, verb, "--help")
    found = set(re.findall(r"^ +(?:-\w, )?(--[a-z][a-z-]+)", text, re.M))
    commands = re.search(r"^commands:\n((?:  .*\n)+)", text, re.M)
    for command in re.findall(r"^  ([a-z-]+)", commands.group(1), re.M) if commands else ():
        _, more, _ = run(TENON, verb, command, "--help")
        found |= set(re.findall(r"^ +(?:-\w, )?(--[a-z][a-z-]+)", more, re.M))
        for below in re.findall(rf"^(?:usage:| {{6}}) tenon {verb} {command} ([a-z]+) ", more, re.M):
            _, more, _ = run(TENON, verb, command, below, "--help")
            found |= set(re.findall(r"^ +(?:-\w, )?(--[a-z][a-z-]+)", more, re.M))
    return found - EVERYWHERE


def options_of_daemon():
    """tenond --daemon has no verb; a page speaks of it."""
    _, text, _ = run(os.path.join(os.path.dirname(TENON), "tenond"), "--daemon", "--help")
    return {"--daemon"} | set(re.findall(r"^ +(--[a-z][a-z-]+)", text, re.M))


def main():
    pages = {}
    for path in glob.glob(os.path.join(ROOT, "docs/man/*.md")):
        with open(path, encoding="utf-8") as file:
            pages[os.path.basename(path)] = file.read()
    verbs = re.findall(r"^  ([a-z]+) ", run(TENON, "--help")[1], re.M)
    owners = {name: set() for name in pages}
    for verb in verbs:
        with check.Step(SUITE, f"tenon {verb}"):
            page = [name for name, text in pages.items()
                    if re.search(rf"^    tenon {verb}\b", text, re.M)]
            check.need(page, f"no page of docs/man has \"tenon {verb}\" in its synopsis")
            for name in page:
                owners[name].add(verb)
            missing = [option for option in options_of(verb)
                       if not any(re.search(rf"{option}(?![a-z-])", pages[name]) for name in page)]
            check.need(not missing, f"{page} lacks {missing}")
    for name, text in pages.items():
        with check.Step(SUITE, f"{name} names options that there are"):
            known = EVERYWHERE.union(*(options_of(verb) for verb in owners[name]))
            if name == "tenon-daemon.md":
                known |= options_of_daemon()
                check.need(len(known) > len(EVERYWHERE) + 4, "the daemon's options")
            if name != "tenon.md":  # it speaks of all verbs
                named = set(re.findall(r"(?<![a-z-])--[a-z][a-z-]*", re.sub(
                    r"^(terraform|.*(terraform|systemctl) ).*$|`systemctl[^`]*`", "", text, flags=re.M)))
                check.need(named <= known, f"unknown: {sorted(named - known)}")
        with check.Step(SUITE, f"{name} becomes a page"):
            with tempfile.TemporaryDirectory() as folder:
                out = os.path.join(folder, "page.1")
                code, _, errors = run(sys.executable, os.path.join(ROOT, "tools/man_page.py"),
                                      os.path.join(ROOT, "docs/man", name), "0", out)
                check.need(code == 0, errors)
                if shutil.which("groff"):
                    code, _, errors = run("groff", "-man", "-Tutf8", "-ww", "-z", out)
                    check.need(code == 0 and not errors, errors)
    return 1 if check.failures else 0


sys.exit(main())
