#!/usr/bin/env python3
"""call_cycles.py CALL_CYCLES COMPILER... - cycles are found whatever ties the files together, and are refused beyond
the limits; what hands a pointer over ties nothing."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib"))
import check  # noqa: E402

PROGRAM, COMPILER = sys.argv[1], sys.argv[2:]
# top calls the knot; a calls b, b has c in a table, c reads a variable of a. e and f: each is handed to the other.
FILES = {
    "top": "int a(int); int main(void) { return a(1); }",
    "a": "int b(int), a_state = 3; int leaf(int); int a(int n) { return b(n) + leaf(n); }",
    "b": "int c(int); static int (*const table[])(int) = {c}; int b(int n) { return table[0](n); }",
    "c": "extern int a_state; int c(int n) { return n + a_state; }",
    "leaf": "int leaf(int n) { return n; }",
    "e": "int e(int (*then)(int), int n) { return then(n); }",
    "f": "int e(int (*then)(int), int n); static int own(int n) { return n; } int f(int n) { return e(own, n); }",
}
# A test stands in for the leaf and calls back: it is not installed, and ties nothing.
TEST = "int a(int); int leaf(int n) { return a(n); }"


def make(folder, files, test_too=True):
    """A build folder with one installed program of these files, and a test beside it."""
    os.makedirs(os.path.join(folder, "meson-info"))
    names = {**files, **({"test": TEST} if test_too else {})}
    for name, text in names.items():
        with open(os.path.join(folder, name + ".c"), "w", encoding="utf-8") as file:
            file.write(text + "\n")
        subprocess.run([*COMPILER, "-c", name + ".c", "-o", name + ".c.o"], cwd=folder, check=True)
    with open(os.path.join(folder, "build.ninja"), "w", encoding="utf-8") as file:
        file.write("rule link\n command = true\n")
        file.write("build program: link " + " ".join(name + ".c.o" for name in files) + "\n")
        file.write("build a_test: link " + " ".join(name + ".c.o" for name in names) + "\n")
    targets = [{"type": "executable", "installed": True, "filename": [os.path.join(folder, "program")]},
               {"type": "custom", "installed": True, "filename": [os.path.join(folder, "page.html")]},
               {"type": "executable", "installed": False, "filename": [os.path.join(folder, "a_test")]}]
    with open(os.path.join(folder, "meson-info/intro-targets.json"), "w", encoding="utf-8") as file:
        json.dump(targets, file)


def run(folder, *options):
    done = subprocess.run([sys.executable, PROGRAM, folder, *options], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


def step(name):
    return check.Step("build", name)


with tempfile.TemporaryDirectory() as top:
    folder = os.path.join(top, "build")
    make(folder, FILES)
    with step("calls, tables and variables tie files together; pointers handed over and tests do not"):
        code, said = run(folder, "--cycle-max", "3")
        check.need(code == 0, said)
        check.need("3 of 7 objects in 1 call cycles" in said and "the largest of 3 " in said, said)
    with step("a cycle that is too large is refused, and shown with what to cut"):
        code, said = run(folder, "--cycle-max", "2")
        check.need(code == 1, said)
        check.need("3 objects: a.c b.c c.c" in said, said)
        check.need("frees 3: c.c -> a.c: a_state" in said and "frees 3: b.c -> c.c: c" in said, said)
    with step("too many objects in cycles are refused"):
        code, said = run(folder, "--objects-max", "2")
        check.need(code == 1 and "3 objects: a.c b.c c.c" in said, said)
    with step("what is not built is said, not counted"):
        os.remove(os.path.join(folder, "b.c.o"))
        code, said = run(folder)
        check.need(code == 1 and "is not built: 1 of 7 objects are missing" in said, said)
    with step("without cycles there is nothing to show"):
        other = os.path.join(top, "other")
        make(other, {**FILES, "c": "int c(int n) { return n; }"})
        code, said = run(other, "--list")
        check.need(code == 0 and said.startswith("0 of 7 objects in 0 call cycles"), said)
sys.exit(check.failures > 0)
