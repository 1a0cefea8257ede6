#!/usr/bin/env python3
"""any_script.py TENON - labels in any script in the pictures of all apps, through their tools: the answer names the fonts,
boxes are told, and what a browser makes of the SVG is what the PNG shows. What is not installed is skipped, and said."""
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zlib

TENON = sys.argv[1]
os.environ["TENON_BUILD"] = os.path.dirname(os.path.abspath(TENON))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import studio  # noqa: E402

SUITE = "any-script"
NOTO = "/usr/share/fonts/truetype/noto/"
NEEDED = ["/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"] + [
    NOTO + name for name in ("NotoSansArabic-Regular.ttf", "NotoSansDevanagari-Regular.ttf", "NotoColorEmoji.ttf")]
PLUGIN = os.path.join(os.path.dirname(os.path.abspath(TENON)), "tenon-shaping.so")
PLAN = """floorplan
  floor Ground {
    room A at (0,0) size (5 x 4) walls [top: solid, right: solid, bottom: solid, left: solid] label "\u53a8\u623f"
    room B at (5,0) size (5 x 4) walls [top: solid, right: solid, bottom: solid, left: solid] label "\u063a\u0631\u0641\u0629"
    room C at (0,4) size (5 x 4) walls [top: solid, right: solid, bottom: solid, left: solid] label "\u0930\u0938\u094b\u0908 \U0001f600"
  }
"""
LATIN = PLAN.replace("\u53a8\u623f", "K").replace("\u063a\u0631\u0641\u0629", "L").replace("\u0930\u0938\u094b\u0908 \U0001f600", "M")
CHROMIUM = shutil.which("chromium")
FOLDER = tempfile.mkdtemp()


def render(plan, *words, env=None, plugin=True):
    """The facts, the file and the lines on standard error."""
    made = os.path.join(FOLDER, "made")
    tenon = TENON if plugin else os.path.join(FOLDER, "bare/tenon")
    done = subprocess.run([tenon, "floorplan", "render", "-", "-o", made, *words], input=plan.encode(), timeout=60,
                          capture_output=True, check=False, env=os.environ | (env or {}))
    check.need(done.returncode == 0, done.stderr[-300:])
    with open(made, "rb") as file:
        return json.loads(done.stdout), file.read(), done.stderr.decode()


def pixels(png):
    """Rows of RGB; what our PNGs and Chromium's have: 8 bits, RGB or RGBA, all filters."""
    width, height, kind = int.from_bytes(png[16:20]), int.from_bytes(png[20:24]), png[25]
    at, packed, size = 8, b"", {2: 3, 6: 4}[kind]
    while at < len(png):
        length = int.from_bytes(png[at:at + 4])
        packed += png[at + 8:at + 8 + length] if png[at + 4:at + 8] == b"IDAT" else b""
        at += 12 + length
    raw, stride, rows, above = zlib.decompress(packed), width * size, [], bytes(width * size)
    for y in range(height):
        begin = y * (stride + 1)
        kind, row = raw[begin], bytearray(raw[begin + 1:begin + 1 + stride])
        for x in range(stride if kind else 0):
            left, up = row[x - size] if x >= size else 0, above[x]
            corner = above[x - size] if x >= size else 0
            guess = left + up - corner
            nearest = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            row[x] = (row[x] + (0, left, up, (left + up) // 2, nearest)[kind]) & 255
        above = bytes(row)
        rows.append([above[x:x + 3] for x in range(0, stride, size)])
    return rows


def as_seen(svg, width, height):
    """A browser's picture of it."""
    page, shot = os.path.join(FOLDER, "page.svg"), os.path.join(FOLDER, "shot.png")
    with open(page, "wb") as file:
        file.write(svg)
    subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--hide-scrollbars", f"--user-data-dir={FOLDER}/profile",
                    f"--screenshot={shot}", f"--window-size={width},{height}", "file://" + page],
                   capture_output=True, timeout=120, check=False)
    with open(shot, "rb") as file:
        return pixels(file.read())


def differing(one, other):
    """The share of pixels of which a colour differs by more than a quarter."""
    count = sum(max(abs(a - b) for a, b in zip(p, q)) > 64 for row, line in zip(one, other) for p, q in zip(row, line))
    return count / (len(one) * len(one[0]))


def names(facts):
    return [font["name"] for font in facts.get("fonts", [])]


def has_all():
    missing = [path for path in NEEDED + [PLUGIN] if not os.path.exists(path)]
    if missing:
        check.skipped(SUITE, "fonts of the machine", f"{missing[0]} is not there")
    return not missing


def draw_diagram(place):
    """A card with each script, a note that is longer than a line."""
    place.client.use("new_project", name="one", directoryPath=place.folder)
    for label in ("\u4e3b\u8981\u8d44\u6e90\u7ec4", "\u0645\u062c\u0645\u0648\u0639\u0629 (prod)", "\u092e\u0941\u0916\u094d\u092f \U0001f680"):
        place.client.add("azurerm/core/resource_group", label=label)
    place.client.add("_annotation/general/sticky_note", label="\u6ce8",
                     properties={"description": 9 * "\u4e3b\u8981\u8d44\u6e90\u7ec4\u3002"})


with check.Step(SUITE, "a plug-in that is not there is told, and Latin pictures are the same without it"):
    os.mkdir(os.path.join(FOLDER, "bare"))
    for name in ("tenon", "tenond"):
        shutil.copy(os.path.join(os.environ["TENON_BUILD"], name), os.path.join(FOLDER, "bare", name))
    facts, _, lines = render(PLAN, plugin=False)
    check.need("fonts" not in facts["image"], facts["image"])
    check.need("tenon-shaping.so is not installed" in facts["image"]["boxes"], facts["image"])
    check.need("tenon-shaping.so is not installed" in lines, lines)
    for form in ("png", "svg", "pdf"):
        with_it, without = render(LATIN, "--format", form), render(LATIN, "--format", form, plugin=False)
        check.need(with_it[1] == without[1], form)
        check.need("fonts" not in with_it[0]["image"] and "boxes" not in with_it[0]["image"], form)

if has_all():
    with check.Step(SUITE, "floorplan: the answer names the fonts; no boxes; the same bytes again"):
        for form in ("png", "svg", "pdf", "3d-png"):
            facts, data, lines = render(PLAN, "--format", form)
            check.need({name.split()[2] for name in names(facts["image"])} >= {"CJK", "Arabic", "Devanagari", "Emoji"},
                       facts["image"])
            check.need("boxes" not in facts["image"] and all(len(font["sha256"]) == 64 for font in facts["image"]["fonts"]),
                       facts["image"])
            check.need(names(facts["image"])[0] in lines, lines)
            check.need(render(PLAN, "--format", form)[1] == data, form)
        brief, _, _ = render(PLAN, "--detail", "brief")
        check.need(len(json.dumps(brief, ensure_ascii=False).encode()) <= 1024 and names(brief["image"]), brief)

    with check.Step(SUITE, "where no font has a letter, there is a box, and it is told"):
        facts, _, _ = render(PLAN, env={"XDG_DATA_DIRS": FOLDER, "XDG_DATA_HOME": FOLDER})
        check.need("no font of this machine" in facts["image"]["boxes"], facts["image"])

    with check.Step(SUITE, "studio: the same, and the SVG is seen in a browser as the PNG is"), studio.Served() as place:
        draw_diagram(place)
        png = place.client.begin("export_diagram", format="png", options={"legend": False})
        answer = place.client.finish(png)["result"]
        facts, text = answer["structuredContent"], next(c["text"] for c in answer["content"] if c["type"] == "text")
        check.need(len(facts["fonts"]) >= 4 and "boxes" not in facts, facts)
        check.need("letters from Noto Sans" in text, text)
        image = next(base64.b64decode(part["data"]) for part in answer["content"] if part["type"] == "image")
        svg = place.client.use("export_diagram", format="svg", options={"legend": False})
        check.need(svg["fonts"] == facts["fonts"] and "<image id=" in svg["content"], svg["fonts"])
        if CHROMIUM:
            seen = as_seen(svg["content"].encode(), facts["width"], facts["height"])
            check.need(differing(pixels(image), seen) < 0.001, differing(pixels(image), seen))
        else:
            check.skipped(SUITE, "a browser's picture", "there is no chromium")

shutil.rmtree(FOLDER, ignore_errors=True)
sys.exit(check.failures > 0)
