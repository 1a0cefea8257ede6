#!/usr/bin/env python3
"""dxf_check.py DRAWING.dxf FACTS.json - reads a drawing back and compares it with a plan's facts.

A reader of its own (floorplan.md 10.2): groups, sections, layers and their colours, entities, how
far they reach, rooms where the facts have them, walls that close, doors that swing a quarter.
Exit code 0: all as promised; otherwise every fault is a line.
"""
import json
import math
import sys

COLOURS = {"ROOMS": 7, "WALLS": 8, "DOORS": 4, "WINDOWS": 5, "LABELS": 3, "DIMENSIONS": 2,
           "STAIRS": 6, "LIFTS": 1}
UNITS = {"m": 6, "cm": 5, "mm": 4, "ft": 2, "in": 1}
faults = []


def expect(good, words):
    if not good:
        faults.append(words)


def read_groups(path):
    with open(path, "rb") as file:
        lines = file.read().decode("ascii").split("\n")
    expect(lines[-1] == "", "the last line does not end")
    lines.pop()
    expect(len(lines) % 2 == 0, "a group without a value")
    return [(int(lines[i]), lines[i + 1].strip()) for i in range(0, len(lines) - 1, 2)]


def read_sections(groups):
    sections, name, at = {}, None, 0
    while at < len(groups):
        code, value = groups[at]
        if (code, value) == (0, "SECTION"):
            name = groups[at + 1][1]
            sections[name] = []
            at += 1
        elif (code, value) == (0, "ENDSEC"):
            name = None
        elif name:
            sections[name].append((code, value))
        else:
            expect((code, value) == (0, "EOF") and at == len(groups) - 1, f"{value} outside")
        at += 1
    return sections


def split(section):
    entities = []
    for code, value in section:
        if code == 0:
            entities.append({"kind": value, "points": {}})
        elif not entities:
            continue
        elif code in (10, 20, 30, 11, 21, 31):
            entities[-1]["points"].setdefault(code % 10, {})[code // 10] = float(value)
        else:
            entities[-1][code] = value
    return entities


def variables(section):
    found, name = {}, None
    for code, value in section:
        if code == 9:
            name = value
            found[name] = {}
        else:
            found[name][code] = value
    return found


def polylines(entities):
    """Entities with the vertices of each POLYLINE gathered in it."""
    out = []
    for entity in entities:
        kind = entity["kind"]
        if kind == "POLYLINE":
            expect(entity.get(70) and int(entity[70]) == 1, "a POLYLINE that is not closed")
            entity["loop"] = []
            out.append(entity)
        elif kind == "VERTEX":
            expect(entity[8] == out[-1][8], "a vertex on another layer")
            out[-1]["loop"].append((entity["points"][0][1], entity["points"][0][2]))
        elif kind != "SEQEND":
            out.append(entity)
    return out


def near(a, b):
    return abs(a - b) < 1e-5


def area(loop):
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(loop, loop[1:] + loop[:1])) / 2


def check_layers(tables, prefixes):
    layers = {e.get(2): int(e[62]) for e in split(tables) if e["kind"] == "LAYER"}
    for prefix in prefixes:
        for name, colour in COLOURS.items():
            expect(layers.get(prefix + name) == colour, f"layer {prefix + name}: no {colour}")
    return layers


def box_of(loop):
    return (min(x for x, _ in loop), min(y for _, y in loop),
            max(x for x, _ in loop), max(y for _, y in loop))


def all_rooms(rooms):
    for room in rooms:
        yield room
        yield from all_rooms(room.get("subRooms", []))


def check_rooms(entities, floor, prefix, aside):
    boxes = [box_of(e["loop"]) for e in entities if e["kind"] == "POLYLINE" and
             e[8] == prefix + "ROOMS"]
    rooms = list(all_rooms(floor["rooms"]))
    expect(len(boxes) == len(rooms), f"{floor['id']}: {len(boxes)} of {len(rooms)} rooms")
    for room in rooms:
        x, y, w, h = (room[k] for k in ("x", "y", "width", "height"))
        want = (x + aside, -(y + h), x + w + aside, -y)
        expect(any(all(near(a, b) for a, b in zip(box, want)) for box in boxes),
               f"room {room['name']} is not at {want}")
    labels = [e[1] for e in entities if e["kind"] == "TEXT" and e[8] == prefix + "LABELS"]
    for room in rooms if labels else []:  # a plan may say that it shows none
        expect(room["name"] in labels, f"{room['name']} is not written")


def check_walls(entities, prefix):
    loops = [e["loop"] for e in entities if e[8] == prefix + "WALLS"]
    expect(loops, f"{prefix}: no walls")
    for loop in loops:
        expect(len(loop) >= 4 and abs(area(loop)) > 1e-9, "an outline of nothing")
        for a, b in zip(loop, loop[1:] + loop[:1]):
            expect((near(a[0], b[0])) != near(a[1], b[1]), f"a wall askew: {a} {b}")


def check_doors(entities, prefix):
    """Each arc begins and ends at a right angle, and a leaf reaches from its middle to one end."""
    lines = [(e["points"][0], e["points"][1]) for e in entities
             if e["kind"] == "LINE" and e[8] == prefix + "DOORS"]
    arcs = [e for e in entities if e["kind"] == "ARC" and e[8] == prefix + "DOORS"]
    expect(len(lines) == len(arcs), f"{len(lines)} leaves, {len(arcs)} arcs")
    for arc in arcs:
        start, end, radius = float(arc[50]), float(arc[51]), float(arc[40])
        middle = arc["points"][0]
        expect(near((end - start) % 360, 90), f"an arc from {start} to {end}")
        ends = [(middle[1] + radius * math.cos(math.radians(a)),
                 middle[2] + radius * math.sin(math.radians(a))) for a in (start, end)]
        expect(any(near(p[1], middle[1]) and near(p[2], middle[2]) and
                   any(near(q[1], x) and near(q[2], y) for x, y in ends) for p, q in lines),
               "an arc without its leaf")
    return len(arcs)


def leaves_of(openings):
    return sum({"door": 1, "double-door": 2}.get(opening["kind"], 0) for opening in openings)


def check_reach(header, entities):
    low, high = header["$EXTMIN"], header["$EXTMAX"]
    points = [p for e in entities for p in e["points"].values() if e["kind"] != "POLYLINE"]
    points += [{1: x, 2: y} for e in entities for x, y in e.get("loop", [])]
    points += [{1: e["points"][0][1] + turn * float(e[40]), 2: e["points"][0][2] + turn * float(e[40])}
               for e in entities if e["kind"] == "CIRCLE" for turn in (-1, 1)]
    for axis, code in ((1, 10), (2, 20)):
        expect(near(min(p[axis] for p in points), float(low[code])), f"$EXTMIN {low}")
        expect(near(max(p[axis] for p in points), float(high[code])), f"$EXTMAX {high}")


def main():
    drawing, facts = sys.argv[1:]
    with open(facts, encoding="utf-8") as file:
        facts = json.load(file)
    sections = read_sections(read_groups(drawing))
    header = variables(sections["HEADER"])
    entities = polylines(split(sections["ENTITIES"]))
    floors = facts["floors"]
    prefixes = [f["id"] + "_" for f in floors] if len(floors) > 1 else [""]
    layers = check_layers(sections["TABLES"], prefixes)
    expect(header["$ACADVER"][1] == "AC1009", "not R12")
    expect(int(header["$INSUNITS"][70]) == UNITS[facts["unit"]], "$INSUNITS")
    for entity in entities:
        expect(entity[8] in layers, f"layer {entity[8]} is not declared")
        expect(entity["kind"] in ("LINE", "ARC", "CIRCLE", "TEXT", "POLYLINE"), entity["kind"])
        expect(all(math.isfinite(v) for p in entity["points"].values() for v in p.values()),
               "a place that is no number")
    check_reach(header, entities)
    extent = 0
    for floor in floors:
        shapes = list(all_rooms(floor["rooms"])) + floor.get("circulation", [])
        shapes = [s.get("footprint", s) for s in shapes]
        for start, size in (("x", "width"), ("y", "height")):
            extent = max(extent, max(s[start] + s[size] for s in shapes) -
                         min(s[start] for s in shapes))
    leaves = 0
    for index, (floor, prefix) in enumerate(zip(floors, prefixes)):
        check_rooms(entities, floor, prefix, 1.5 * extent * index)
        check_walls(entities, prefix)
        leaves += check_doors(entities, prefix)
    wanted = leaves_of(facts.get("openings", []))
    expect(leaves >= wanted, f"{leaves} leaves of doors; connections have {wanted}")
    for fault in faults:
        print(f"{drawing}: {fault}")
    print(f"{drawing}: {len(entities)} entities, {leaves} leaves, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
