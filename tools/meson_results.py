#!/usr/bin/env python3
"""meson_results.py BUILD SUITE - the results of its last "meson test", one line per cmocka test.

Reads BUILD/meson-logs/SUITE.json. A program that ends badly without naming a failed test (a crash,
a sanitizer report, a timeout) counts as one failure, whatever it printed before.
"""
import json
import re
import sys

OUTCOME = re.compile(r"^\[\s+(OK|FAILED)\s+\] ([A-Za-z_]\w*)", re.M)


def rows_of(entry):
    name = entry["name"].split(" / ")[-1]
    text = entry.get("stdout", "") + entry.get("stderr", "")
    tests = {}
    for outcome, test in OUTCOME.findall(text):
        tests[test] = "failed" if outcome == "FAILED" or tests.get(test) == "failed" else "passed"
    rows = [(outcome, f"{name}: {test}", "") for test, outcome in tests.items()]
    good = entry["result"] in ("OK", "EXPECTEDFAIL")
    if entry["result"] == "SKIP":
        # What it needs is not on this machine: neither passed nor failed, but said.
        print(f"skipped: {name}", file=sys.stderr)
        return []
    if good and not rows:
        rows.append(("passed", name, ""))
    if not good and "failed" not in tests.values():
        rows.append(("failed", name, f"{entry['result']}, exit {entry.get('returncode')}"))
    return rows


def main():
    build, suite = sys.argv[1:]
    try:
        with open(f"{build}/meson-logs/{suite}.json", encoding="utf-8") as log:
            entries = [json.loads(line) for line in log]
    except FileNotFoundError:
        sys.exit(f"{suite}: Meson ran no test")
    for entry in entries:
        for outcome, name, why in rows_of(entry):
            print(outcome, suite, name, why, sep="\t")


main()
