#!/usr/bin/env python3
"""examples.py TENON - each example plan by pipe: exit code, count, and what the wording mentions.

The whole parse result is compared by tests/clients/plan_expect.mjs (over MCP) and the unit tests.
"""
import glob
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402

TENON = sys.argv[1]
FOLDER = os.path.join(os.path.dirname(__file__), "../data/plan-examples")
SUITE = "cli-examples"


def run(file, *args):
    with open(file, "rb") as plan:
        done = subprocess.run([TENON, "plan", *args], stdin=plan, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=60, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def main():
    for path in sorted(glob.glob(f"{FOLDER}/*.expected.json")):
        with open(path, encoding="utf-8") as file:
            expected = json.load(file)
        base = path[: -len(".expected.json")]
        for file in sorted(glob.glob(f"{glob.escape(base)}.*")):
            if file == path:
                continue
            name = os.path.basename(file)
            with check.Step(SUITE, f"explain --full {name}"):
                code, text, errors = run(file, "explain", "--full")
                check.need(code == expected.get("cli_exit", 0), f"exit {code}: {errors[:200]}")
                check.need(text.startswith(expected["count_only"] + "\n"), text[:200])
                for words in expected.get("explanation_must_mention", []):
                    check.need(words in text, f"{words!r} is not mentioned: {text[:300]}")
            with check.Step(SUITE, f"explain --count-only {name}"):
                _, text, _ = run(file, "explain", "--count-only")
                check.need(text.rstrip("\n") == expected["count_only"], text[:200])
            with check.Step(SUITE, f"parse {name}"):
                _, text, errors = run(file, "parse", "--format", "json")
                parsed = json.loads(text)
                check.need(parsed["summary"]["total_changes"] == expected["total_changes"], text[:200])
                found = [one["address"] for one in parsed["resource_changes"]]
                wanted = [one["address"] for one in expected["resource_changes"]]
                if name in expected.get("same_result_as", []):
                    found, wanted = sorted(found), sorted(wanted)  # another form, its own order
                check.need(found == wanted, f"{found}, not {wanted}")
    return 1 if check.failures else 0


sys.exit(main())
