"""check.py - results of Python tests, in the file that tools/results.sh counts."""
import os
import re
import sys
import traceback

failures = 0


def result(passed, suite, name, why=""):
    global failures
    failures += 0 if passed else 1
    flat = re.sub(r"\s+", " ", str(why))[:400]
    path = os.environ.get("TENON_RESULTS")
    if path:
        with open(path, "a", encoding="utf-8") as file:
            print("passed" if passed else "failed", suite, name, "" if passed else flat, sep="\t",
                  file=file)
    if not passed:
        print(f"FAILED {suite}: {name}: {flat}", file=sys.stderr, flush=True)


class Step:
    """`with Step(suite, name): ...` - an exception, or a false `need`, is a failure with its text."""

    def __init__(self, suite, name):
        self.suite, self.name = suite, name

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is KeyboardInterrupt:
            return False
        why = "" if kind is None else f"{value or kind.__name__}"
        if kind is not None and not isinstance(value, AssertionError):
            why += " at " + ", ".join(f"line {frame.lineno}" for frame in traceback.extract_tb(trace))
        result(kind is None, self.suite, self.name, why)
        return True


def need(condition, text):
    if not condition:
        raise AssertionError(text)


def sanitized():
    """Under a sanitizer freed memory is kept on purpose, so growth says nothing."""
    return "ASAN_OPTIONS" in os.environ


def resident_kib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return int(re.search(r"^VmRSS:\s+(\d+)", file.read(), re.M).group(1))


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))
