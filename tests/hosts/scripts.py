"""scripts.py - what the stand-in for a model does: a tour of results, and four tasks.

The tasks are solved with nothing but what the host has handed on: an id that did not reach the model cannot be
named. Unsolved says which one was missing."""
import json
import os
import re
import subprocess
import time

from model import Unsolved

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PLAN = os.path.join(ROOT, "tests", "data", "plan-examples", "02-mixed-replace.txt")
HOUSE = os.path.join(ROOT, "examples", "house.floorplan")
DIAGRAM = os.path.join(ROOT, "examples", "three-tier.json")
HANDLE = re.compile(r"\b(?:[a-z]{3,4}_[0-9a-z]{20,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def need(got, pattern, what):
    """What the pattern finds in the text that came; else the task cannot go on."""
    found = re.search(pattern, got.text)
    if not found:
        raise Unsolved(f"{what} did not reach the model")
    return found.group(found.re.groups and 1)


def id_of(got, label):
    """The handle of what is called `label`: in the same JSON object, or in the same line, where a plain word stands bare."""
    for value in objects_in(got.text):
        for one in parts_of(value):
            if label in (one.get("label"), one.get("name")):
                found = next((one[key] for key in ("instanceId", "id") if key in one), None)
                if found:
                    return found
    named = re.compile(rf'(^|[\s:=,("]){re.escape(label)}($|[\s,)"])')
    for line in got.text.replace('\\"', '"').splitlines():
        if named.search(line) and HANDLE.search(line):
            return HANDLE.search(line).group()
    raise Unsolved(f"the id of {label!r} did not reach the model")


def objects_in(text):
    """The JSON objects that stand in the text."""
    found, at, reader = [], text.find("{"), json.JSONDecoder()
    while at >= 0 and len(found) < 8:
        try:
            value, at = reader.raw_decode(text, at)
            found.append(value)
        except ValueError:
            at += 1
        at = text.find("{", at)
    return found


def parts_of(value):
    """Every object within the value."""
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from parts_of(one)


# ---- the tour: each kind of result, in each app; what they cost and what arrives ----

TOUR = [
    ("terminal", "a command: `echo hi`"), ("terminal", "`list_sessions`"), ("terminal", "an error"),
    ("terminal", "an approval: `rm -rf`"), ("terminal", "900 lines of output"),
    ("plan", "`terraform_explain`"), ("plan", "`terraform_parse`"), ("plan", "an error"), ("plan", "a question"),
    ("floorplan", "`render_floorplan`"), ("floorplan", "`validate_floorplan`"), ("floorplan", "an error"),
    ("studio", "`new_project`"), ("studio", "`execute_batch`"), ("studio", "`get_diagram`"),
    ("studio", "`validate_diagram`"), ("studio", "`export_diagram` as PNG"),
    ("studio", "`get_available_resource_types`"), ("studio", "an error"), ("studio", "an approval: `destroy`"),
]


def until_idle():
    """A command has ended when it says so; its shell is back at the prompt a moment later, or more on a busy machine.
    What is listed meanwhile is no other kind of result, and has more words."""
    tenon, deadline = os.path.join(os.environ["TENON_BUILD"], "tenon"), time.monotonic() + 60
    while time.monotonic() < deadline:
        done = subprocess.run([tenon, "call", "terminal.list_sessions", "--json"], stdin=subprocess.DEVNULL,
                              capture_output=True, encoding="utf-8", timeout=60, check=True)
        sessions = json.loads(done.stdout)["structuredContent"]["sessions"]
        if all(session["state"] == "idle" for session in sessions):
            return
    raise Unsolved("the shell did not come back to its prompt")


def tour(folder):
    """The calls of TOUR, in its order."""
    yield "execute_command", {"command": "echo hi"}
    until_idle()
    yield "list_sessions", {}
    yield "get_terminal_output", {"session_id": "ses_none"}
    yield "execute_command", {"command": "rm -rf build"}
    yield "execute_command", {"command": "seq -f 'line %g of 900 of a log that a build might have written' 900"}
    yield "terraform_explain", {"plan_text": read(PLAN), "user_preference": "full_summary"}
    yield "terraform_parse", {"plan_text": read(PLAN)}
    yield "terraform_parse", {"plan_text": "this is no plan"}
    yield "terraform_explain", {"plan_text": read(PLAN)}
    yield "render_floorplan", {"dsl": read(HOUSE)}
    yield "call_tool", {"name": "validate_floorplan", "arguments": {"dsl": read(HOUSE)}}
    yield "render_floorplan", {"dsl": "floorplan\n  floor A {\n    room B at (0,0)\n  }\n"}
    yield "new_project", {"name": "shop", "directoryPath": folder}
    yield "execute_batch", {"operations": json.loads(read(DIAGRAM))["operations"]}
    yield "get_diagram", {}
    yield "validate_diagram", {}
    yield "export_diagram", {"format": "png"}
    yield "get_available_resource_types", {}
    yield "call_writing_tool", {"name": "add_resource", "arguments": {"typeId": "azurerm/compute/none"}}
    yield "call_writing_tool", {"name": "run_terraform",
                                "arguments": {"command": "destroy", "confirmed": True, "force": True}}
    return "The tour is over."


# ---- the tasks ----

def found(words, name, arguments):
    """A tool beyond those that are listed: looked up by words, and called as find_tools says (hosts.md HO-010)."""
    got = yield "find_tools", {"query": words}
    need(got, rf"\b{name}\b", f"the tool {name}")
    writes = re.search(rf"\b{name} \(call_writing_tool\)|\b{name}\b(?:(?!call_with).)*\"call_with\W+call_writing_tool",
                       got.text, re.S)
    return (yield "call_writing_tool" if writes else "call_tool", {"name": name, "arguments": arguments})


def explain(folder):
    """Explain this plan, and look at what is worst in it."""
    got = yield "terraform_explain", {"plan_text": read(PLAN), "user_preference": "full_summary"}
    summary = need(got, r"Summary: (\d+) changes", "the summary")
    known = re.search(r"pln_[0-9a-z]+", got.text)
    # Without a handle the plan is sent again, which is what a model would do, and pays for.
    plan = {"plan_id": known.group()} if known else {"plan_text": read(PLAN)}
    got = yield from found("risks of a plan", "terraform_risk", plan)
    address = need(got, r"\baws_[a-z_]+\.[a-z_]+\b", "the address of a finding")
    got = yield from found("show one change of a plan", "terraform_show_change", {**plan, "address": address})
    path = need(got, r"deletion_protection|identifier", "what changes there")
    return f"{summary} changes; the worst is at {address}, in {path}."


def fix(folder):
    """Run the test, see why it fails, mend the program, run it again."""
    run = {"command": f"cd {folder} && python3 test_area.py"}
    got = yield "execute_command", run
    need(got, r"AssertionError", "why the test fails")
    need(got, r"exit 1\b|\"exit_code\": ?1\b", "the exit code")
    got = yield "execute_command", {"command": f"cat {folder}/area.py"}
    need(got, r"width \+ depth", "the program")
    yield "execute_command", {"command": f"sed -i 's/width + depth/width * depth/' {folder}/area.py"}
    got = yield "execute_command", run
    need(got, r"exit 0\b|\"exit_code\": ?0\b", "the exit code")
    need(got, r"1 test passed", "what the test printed")
    return "It passes: width was added to depth."


FLAT = """---
version: 1.0
title: Flat
---
floorplan
  config { default_unit: m }
  floor Flat {
    room Living at (0,0) size (5 x 4) walls [top: window, right: solid, bottom: solid, left: solid]
    room Sleeping size (3.5 x 4) walls [top: window, right: solid, bottom: solid, left: solid] right-of Livingroom
  }
  connect Living.bottom to outside door at 50%
  connect Living.right to Sleeping.left door at 50%
"""


def draw(folder):
    """Draw a flat of two rooms; the first text has a mistake in it."""
    got = yield from found("check a floor plan for mistakes", "validate_floorplan", {"dsl": FLAT})
    need(got, r"Livingroom", "which name is wrong")
    text = FLAT.replace("right-of Livingroom", "right-of Living")
    got = yield "render_floorplan", {"dsl": text}
    if not got.images:
        raise Unsolved("the picture did not reach the model")
    got = yield from found("change the size of a room", "modify_floorplan", {"dsl": text, "operations": [
        {"action": "resize_room", "target": "Sleeping", "params": {"width": 4.5}}]})
    need(got, r"4\.5", "the new size")
    text = text.replace("3.5 x 4", "4.5 x 4")
    got = yield from found("area of the rooms", "analyze_floorplan", {"dsl": text})
    area = need(got, r"\b38\b", "the area")
    got = yield "render_floorplan", {"dsl": text}
    if not got.images:
        raise Unsolved("the picture did not reach the model")
    return f"A flat of two rooms and {area} square metres."


def build(folder):
    """Build a diagram of three tiers, then change what was built by what get_diagram says of it."""
    yield "new_project", {"name": "tiers", "directoryPath": folder}
    yield "execute_batch", {"operations": json.loads(read(DIAGRAM))["operations"]}
    got = yield "get_diagram", {}
    got = yield from found("change properties of a resource", "update_resource",
                           {"instanceId": id_of(got, "Plan"), "properties": {"sku_name": "P2v3"}})
    if got.error:
        raise Unsolved("the id was another one's")
    got = yield "validate_diagram", {}
    need(got, r"UNSET_VARIABLE", "what is wrong with the diagram")
    got = yield "export_diagram", {"format": "png"}
    if not got.images:
        raise Unsolved("the picture did not reach the model")
    return "Three tiers are built, and the plan is a larger one."


def http(folder):
    """That the other way in works as well."""
    got = yield "execute_command", {"command": "echo hi"}
    need(got, r"\bhi\b", "the output")
    return "It says hi."


# "both": as the tour, with all that there is sent: what the facts are.
SCRIPTS = {"tour": tour, "both": tour, "explain": explain, "fix": fix, "draw": draw, "build": build, "http": http}
TASKS = {"explain": "explain a plan", "fix": "fix a failing test", "draw": "draw a flat of two rooms",
         "build": "build a diagram of three tiers"}


def prepare(folder):
    """What the project has before the conversation."""
    os.makedirs(os.path.join(folder, "build"))
    for name, text in {
        "area.py": "def area(width, depth):\n    return width + depth\n",
        "test_area.py": "from area import area\n\nassert area(5, 4) == 20, f'area(5, 4) is {area(5, 4)}, not 20'\n"
                        "print('1 test passed')\n",
        "build/result": "made",
    }.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
