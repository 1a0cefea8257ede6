#!/usr/bin/env python3
"""floorplan_files.py TENON - what `tenon floorplan` does on files: exit codes, lines for people, JSON for programs
(floorplan.md section 12)."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402

TENON = sys.argv[1]
EXAMPLES = os.path.join(os.path.dirname(__file__), "../data/floorplan-examples")
SUITE = "floorplan-files"
GOOD = os.path.join(EXAMPLES, "v1-bakery.floorplan")
BAD = os.path.join(EXAMPLES, "e4-unknown-names.floorplan")
FOLDER = tempfile.mkdtemp()
RENAME = '[{"action":"rename_room","target":"Yard","params":{"newName":"Court"}}]'


def run(*words, code=0, stdin=b""):
    done = subprocess.run([TENON, "floorplan", *words], capture_output=True, timeout=60, check=False, input=stdin)
    check.need(done.returncode == code, f"{words}: exit {done.returncode}: {done.stdout[-200:]} {done.stderr[-300:]}")
    return done.stdout, done.stderr.decode()


def step(name):
    return check.Step(SUITE, name)


with step("the ending of the file says the format; an earlier version is a file"):
    for suffix, begin in ((".svg", b"<svg"), (".pdf", b"%PDF-"), (".dxf", b"  0"), (".png", b"\x89PNG"), ("", b"\x89PNG")):
        made = os.path.join(FOLDER, "picture" + suffix)
        run("render", GOOD, "-o", made)
        with open(made, "rb") as file:
            check.need(file.read(8).startswith(begin), suffix)
    run("render", GOOD, "-o", made, "--format", "svg")
    with open(made, "rb") as file:
        check.need(file.read(4) == b"<svg", "what is said counts")
    earlier = os.path.join(EXAMPLES, "v2-compass.floorplan")
    plain, one, other = (json.loads(run("render", GOOD, *words, "-o", made)[0])["image"]["sha256"] for words in (
        (), ("--before", earlier), ("--before", "@" + earlier)))
    check.need(one == other and one != plain, (plain, one, other))

with step("validate: exit 0 and 1, lines on standard error, JSON on standard output"):
    out, err = run("validate", BAD, code=1)
    facts = json.loads(out)
    first = facts["errors"][0]
    check.need(facts["valid"] is False, facts)
    check.need(f"{BAD}:{first['line']}:{first['column']}: error {first['code']}: {first['message']}\n" in err, err)
    out, err = run("validate", BAD, "--json", code=1)
    check.need(err == "" and json.loads(out) == facts, err)
    out, _ = run("validate", GOOD)
    check.need(json.loads(out)["valid"] is True, out)
    run("validate", GOOD, "--strict", code=1)
    with open(GOOD, "rb") as file:
        _, err = run("validate", "-", stdin=file.read())
    check.need("<stdin>:8:10: warning FP4010" in err, err)

with step("render: a picture of the size asked for"):
    picture = os.path.join(FOLDER, "a.png")
    out, _ = run("render", GOOD, "-o", picture, "--width", "320", "--height", "200", "--show-labels", "false")
    with open(picture, "rb") as file:
        png = file.read()
    check.need(png[:8] == b"\x89PNG\r\n\x1a\n" and png[16:24] == b"\0\0\x01\x40\0\0\0\xc8", png[:24])
    check.need(json.loads(out)["image"]["bytes"] == len(png), out)
    out, _ = run("render", GOOD, "-o", "-", "--format", "svg")
    check.need(b"<svg" in out and b'"success"' not in out, out[:80])
    run("render", BAD, "-o", os.path.join(FOLDER, "b.png"), code=1)
    check.need(not os.path.exists(os.path.join(FOLDER, "b.png")), "a picture of a bad plan")

with step("modify: in place, nothing but what is named"):
    path = os.path.join(FOLDER, "a.floorplan")
    with open(GOOD, "rb") as file:
        text = file.read()
    with open(path, "wb") as file:
        file.write(text)
    out, _ = run("modify", path, "--operations", RENAME)
    with open(path, "rb") as file:
        check.need(file.read() == text, "changed without --in-place")
    run("modify", path, "--operations", RENAME, "--in-place")
    with open(path, "rb") as file:
        check.need(file.read() == text.replace(b"Yard", b"Court"), "another text")
    run("modify", path, "--operations", RENAME, code=1)

with step("analyze, export and import"):
    out, _ = run("analyze", GOOD, "--no-include-graph", "--json")
    check.need(json.loads(out)["summary"]["totalRoomCount"] == 4 and "access" not in json.loads(out), out)
    plan = os.path.join(FOLDER, "plan.json")
    run("export", GOOD, "--format", "json", "-o", plan)
    text, _ = run("import", plan, "-o", "-")
    again, _ = run("export", "-", "--format", "json", "-o", "-", stdin=text)
    with open(plan, "rb") as file:
        check.need(again == file.read(), "not the same after a round")

with step("exit 1: the words; exit 2: the machine"):
    run("validate", code=1)
    run("validate", GOOD, "--width", "3", code=1)
    run("render", GOOD, "--width", "3", code=1)
    run("modify", GOOD, "--operations", "[{", code=1)
    run("modify", GOOD, code=1)
    run("import", GOOD, code=1)
    run("validate", os.path.join(FOLDER, "none"), code=2)
    run("render", GOOD, "-o", os.path.join(FOLDER, "none/a.png"), code=2)

sys.exit(1 if check.failures else 0)
