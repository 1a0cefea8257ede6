#!/usr/bin/env python3
"""lines.py [NUMBER...] - the 28 lines of docs/attacks.md: every file line_NN_*.py, two at a time, each with a daemon or a server
of its own. A line without a file, or a file that checks nothing, is a failure."""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
LINES, TIMEOUT_S = 28, 300


def number_of(path):
    return int(re.match(r"line_(\d\d)_", os.path.basename(path)).group(1))


def run(path):
    """(path, exit code, its results, what it said, seconds)"""
    begun = time.monotonic()
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as results:
        done = subprocess.run(["timeout", "-k", "5", str(TIMEOUT_S), sys.executable, path], stdin=subprocess.DEVNULL,
                              env=os.environ | {"TENON_RESULTS": results.name}, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", check=False)
        return path, done.returncode, results.read().splitlines(), done.stdout, time.monotonic() - begun


def tell(path, code, rows, said, took):
    name = os.path.basename(path)[:-3].replace("_", "-")
    kinds = [row.split("\t", 1)[0] for row in rows]
    if "TENON_RESULTS" in os.environ and rows:
        with open(os.environ["TENON_RESULTS"], "a", encoding="utf-8") as file:
            file.write("\n".join(rows) + "\n")
    check.failures += kinds.count("failed")
    if code != 0 and "failed" not in kinds:
        check.result(False, name, "the script itself", f"exit {code}: {said[-300:]}")
    elif not kinds:
        check.result(False, name, "the script itself", "nothing was checked")
    print(f"{name}: {kinds.count('passed')} passed, {kinds.count('failed')} failed, {took:.0f} s", flush=True)
    if code != 0:
        print(said[-4000:], file=sys.stderr, flush=True)


def main():
    wanted = [int(word) for word in sys.argv[1:]] or range(1, LINES + 1)
    # The long ones first, so that none of them is left alone at the end.
    paths = sorted((path for path in glob.glob(os.path.join(HERE, "line_[0-9][0-9]_*.py")) if number_of(path) in wanted),
                   key=lambda path: (number_of(path) not in (7, 14, 15, 16, 17, 4), path))
    for number in wanted:
        if number not in map(number_of, paths):
            check.result(False, f"line-{number:02}", "it is tried", "no file line_%02d_*.py" % number)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for done in concurrent.futures.as_completed([pool.submit(run, path) for path in paths]):
            tell(*done.result())
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
