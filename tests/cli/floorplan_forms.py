#!/usr/bin/env python3
"""floorplan_forms.py TENON - a plan as DXF and PDF, and verbs for those who write plans: fmt, diff, watch.

floorplan.md 10.2, 10.3, 12. No daemon is started. Exit codes: 0 good, 1 the plan or the words, 2 the machine.
"""
import os
import re
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402

TENON = sys.argv[1]
HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "../data/floorplan-examples")
SUITE = "floorplan-forms"
GOOD = sorted(name[:-len(".floorplan")] for name in os.listdir(EXAMPLES)
              if name.startswith("v") and name.endswith(".floorplan"))
BAD = os.path.join(EXAMPLES, "e1-wall-type.floorplan")


def plan(name):
    return os.path.join(EXAMPLES, name + ".floorplan")


def run(*words, text=b""):
    done = subprocess.run([TENON, "floorplan", *words], capture_output=True, timeout=60, check=False, input=text)
    return done.returncode, done.stdout, done.stderr.decode("utf-8")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)
    return path


def check_dxf(folder):
    for name in GOOD:
        with check.Step(SUITE, f"{name} as DXF is read back with its rooms, walls and doors"):
            out = os.path.join(folder, name + ".dxf")
            code, _, err = run("export", plan(name), "--format", "dxf", "--output", out)
            check.need(code == 0, f"{code} {err}")
            done = subprocess.run([sys.executable, os.path.join(HERE, "dxf_check.py"), out,
                                   os.path.join(EXAMPLES, name + ".json")], capture_output=True,
                                  text=True, timeout=60, check=False)
            check.need(done.returncode == 0, done.stdout + done.stderr)
    with check.Step(SUITE, "the same plan, the same bytes"):
        again = run("export", plan(GOOD[0]), "--format", "dxf", "--output", "-")[1]
        check.need(again == read(os.path.join(folder, GOOD[0] + ".dxf")), "other bytes")


# ---- PDF ----

def objects_of(data):
    """Objects by number, from the table of the file itself."""
    start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", data).group(1))
    count = int(re.match(rb"xref\n0 (\d+)\n", data[start:]).group(1))
    lines = data[start:].split(b"\n")[2:2 + count]
    check.need(all(len(line) == 19 for line in lines), "lines of the table are 20 bytes")
    found = {}
    for number, line in enumerate(lines[1:], 1):
        at, head = int(line[:10]), b"%d 0 obj\n" % number
        check.need(data[at:at + len(head)] == head, f"object {number} is not where the table says")
        found[number] = data[at + len(head):data.index(b"endobj\n", at)]
    return found


def stream_of(body):
    size = int(re.search(rb"/Length (\d+)", body).group(1))
    start = body.index(b"stream\n") + len(b"stream\n")
    return zlib.decompress(body[start:start + size])


def pages_of(objects):
    return [body for body in objects.values() if b"/Type /Page " in body]


def contents_of(objects, page):
    return stream_of(objects[int(re.search(rb"/Contents (\d+)", page).group(1))])


def words_of(objects, contents):
    """What a page says, by the fonts' own maps."""
    maps = {}
    resources = next(body for body in objects.values() if b"/ExtGState" in body)
    for name, number in re.findall(rb"/(F\d+) (\d+) 0 R", resources):
        cmap = stream_of(objects[int(re.search(rb"/ToUnicode (\d+)", objects[int(number)]).group(1))])
        maps[name] = {code: bytes.fromhex(to.decode()).decode("utf-16-be")
                      for code, to in re.findall(rb"<(..)> <([0-9A-F]+)>\n", cmap)}
    return ["".join(maps[font][codes[i:i + 2]]
                    for font, codes in re.findall(rb"/(F\d+) 1 Tf <([0-9A-F]*)>", text)
                    for i in range(0, len(codes), 2))
            for text in re.findall(rb"BT .*? ET", contents)]


def check_pdf():
    for paper, size in (("A4", (595.276, 841.89)), ("A3", (841.89, 1190.551)), ("Letter", (612, 792))):
        with check.Step(SUITE, f"PDF on {paper}: objects, size, words"):
            code, data, err = run("export", plan("v1-bakery"), "--format", "pdf", "--paper", paper,
                                  "--output", "-")
            check.need(code == 0 and data.startswith(b"%PDF-1.4\n"), f"{code} {err}")
            objects = objects_of(data)
            page = pages_of(objects)[0]
            box = [float(v) for v in re.search(rb"MediaBox \[0 0 (\S+) (\S+) ", page).groups()]
            check.need(sorted(box) == sorted(size), f"{paper}: {box}")
            said = words_of(objects, contents_of(objects, page))
            for word in ("Front", "Shop front", "Ovens", "Yard", "Dry store"):
                check.need(word in said, f"{word} is not in {said}")
            check.need(b"Date" not in data, "a date")
    with check.Step(SUITE, "PDF at 1:100: walls are as far apart as they are in the plan"):
        _, data, err = run("export", plan("v5-townhall"), "--format", "pdf", "--paper", "A4", "--scale",
                           "1:100", "--output", "-")
        objects = objects_of(data)
        check.need(pages_of(objects), err)
        point = 72 / 0.0254 / 100
        xs = {float(x) for x in re.findall(rb"(\S+) \S+ [ml]\b", contents_of(objects, pages_of(objects)[0]))}
        wanted = (46 * 0.3048 + 0.2) * point  # two rooms, and half a wall on each side
        check.need(any(abs(b - a - wanted) < 0.02 for a in xs for b in xs), f"{wanted}: {sorted(xs)}")
    with check.Step(SUITE, "the same plan, the same bytes; too large a scale is refused with a way out"):
        words = ("export", plan("v5-townhall"), "--format", "pdf", "--output", "-")
        check.need(run(*words)[1] == run(*words)[1], "other bytes")
        code, out, err = run(*words[:-2], "--scale", "1:10")
        check.need(code == 1 and b"it fits at 1:" in out + err.encode(), f"{code} {out[:300]} {err}")


# ---- for those who write ----

def check_fmt(folder):
    for name in GOOD:
        with check.Step(SUITE, f"fmt {name}: twice is once, and the plan is the same"):
            code, once, err = run("fmt", plan(name))
            check.need(code == 0 and once, f"{code} {err}")
            check.need(run("fmt", "-", text=once)[1] == once, "another layout the second time")
            words = ("--format", "json", "--output", "-")
            before = run("export", plan(name), *words)[1]
            file = write(os.path.join(folder, "f.floorplan"), once)
            check.need(before and run("export", file, *words)[1] == before, "another plan")
            comments = re.findall(rb"#[^\n\"]*[^\s\"]|/\*.*?\*/", read(plan(name)), re.S)
            check.need(all(comment in once for comment in comments), "a comment is lost")
    with check.Step(SUITE, "fmt --check and --write"):
        crooked = b"floorplan\r\n floor  F{\r\n\r\n\r\nroom A at( 0,0 )size(4x3)# here\r\n}"
        file = write(os.path.join(folder, "c.floorplan"), crooked)
        code, out, _ = run("fmt", "--check", file)
        check.need(code == 1 and out.decode().strip() == file and read(file) == crooked, f"{code} {out}")
        check.need(run("fmt", "-w", file)[0] == 0, "")
        check.need(read(file) == b"floorplan\r\n  floor F {\r\n\r\n    room A at (0,0) size (4 x 3) # here\r\n"
                   b"  }\r\n", read(file))
        check.need(run("fmt", "--check", file)[0] == 0, "formatted text is told to be not")
    with check.Step(SUITE, "fmt leaves what does not parse, with file:line:column"):
        code, out, err = run("fmt", BAD)
        check.need(code == 1 and out == b"" and
                   re.search(r"e1-wall-type\.floorplan:\d+:\d+: error FP1", err), f"{code} {err}")
        check.need(run("fmt", "/nowhere.floorplan")[0] == 2 and run("fmt")[0] == 1, "")


BEFORE = b"""floorplan
  floor G {
    room A at (0,0) size (4m x 3m)
    room B at (4,0) size (3 x 3)
    room C at (0,3) size (2 x 2)
  }
  connect A.right to B.left door
  connect A.bottom to C.top door
"""
AFTER = b"""floorplan
  floor G {
    room A at (0,0) size (4m x 3m) walls [left: window]
    room B at (4,0) size (3 x 4)
    room D at (2,3) size (2 x 2)
  }
  connect A.right to B.left opening
"""


def check_diff(folder):
    before = write(os.path.join(folder, "a.floorplan"), BEFORE)
    after = write(os.path.join(folder, "b.floorplan"), AFTER)
    with check.Step(SUITE, "diff: what came, went and is another"):
        code, out, err = run("diff", before, after)
        lines = out.decode().splitlines()
        check.need(code == 0 and len(lines) == 6, f"{code} {out} {err}")
        for line in ("~ room G.A left wall window, was solid", "~ room G.B resized from 3 x 3 m to 3 x 4 m",
                     "+ room G.D 2 x 2 m at (2, 3)", "- room G.C 2 x 2 m at (0, 3)"):
            check.need(line in lines, f"{line!r} is not in {lines}")
        check.need(any(line.startswith("~ connection G.A to B opening") for line in lines) and
                   any(line.startswith("- connection G.A to C door") for line in lines), lines)
    with check.Step(SUITE, "diff of a plan and itself, --exit-code, --json, -o"):
        check.need(run("diff", before, before, "--exit-code")[:2] == (0, b""), "a difference to itself")
        check.need(run("diff", before, after, "--exit-code")[0] == 1, "")
        code, out, _ = run("diff", before, "-", "--json", text=AFTER)
        check.need(code == 0 and out.count(b'"change":') == 6, out)
        picture = os.path.join(folder, "d.png")
        code, _, err = run("diff", before, after, "-o", picture, "--width", "640", "--height", "480")
        data = read(picture) if code == 0 else b""
        check.need(data[:8] == b"\x89PNG\r\n\x1a\n" and data[16:24] == bytes([0, 0, 2, 128, 0, 0, 1, 224]),
                   f"{code} {err}")
    with check.Step(SUITE, "diff: faults"):
        code, _, err = run("diff", before, BAD)
        check.need(code == 1 and "error FP1" in err, f"{code} {err}")
        check.need(run("diff", before)[0] == 1 and run("diff", before, "/nowhere")[0] == 2, "")


def check_watch(folder):
    file, picture = os.path.join(folder, "w.floorplan"), os.path.join(folder, "w.svg")
    write(file, BEFORE)
    with check.Step(SUITE, "watch: a line and a picture for each save, also when the file is replaced"):
        with subprocess.Popen([TENON, "floorplan", "watch", file, "-o", picture], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as child:
            try:
                check.need("valid, 0 errors" in child.stdout.readline(), "the first look")
                for text, wanted in ((AFTER.replace(b"room D", b"room Zoo"), "valid, 0 errors"),
                                     (b"floorplan {", "not valid, 1 errors")):
                    write(file + ".new", text)
                    os.replace(file + ".new", file)
                    line = child.stdout.readline()
                    check.need(wanted in line, line)
                check.need(b"Zoo" in read(picture), "the picture is of the last good plan")
            finally:
                child.terminate()
    with check.Step(SUITE, "watch: no file, no words"):
        check.need(run("watch", "/nowhere.floorplan")[0] == 2 and run("watch")[0] == 1, "")


with tempfile.TemporaryDirectory() as work:
    check_dxf(work)
    check_pdf()
    check_fmt(work)
    check_diff(work)
    check_watch(work)
sys.exit(1 if check.failures else 0)
