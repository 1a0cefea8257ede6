#!/usr/bin/env python3
"""promotions.py - random sources and random values, saved (workbench.md D4): what comes out parses with esbuild and TypeScript and
means the values, and nothing but what the plan names has changed. Needs Node and demo/harbour-legacy's packages."""
import json
import os
import random
import subprocess
import sys

for folder in ("../lib", "../terminal"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import check  # noqa: E402
import daemon  # noqa: E402
import links  # noqa: E402
from check import need  # noqa: E402
from core import ROOT, Seer, as_person  # noqa: E402
from save import PLAN, put, read, save, step  # noqa: E402

SITES = 60
TEXTS = ["", "a", "it's", 'say "x"', "R&D", "a < b > c", "{x}", "back\\slash", "line\nbreak", "tab\there", "\u2028sep", "&amp;", "</A>",
         "*/ }", "🍞 é", "\u0000nul", "${x}", "`", "\r\n", "//", "' \" `", "\ufeff"]
VALUES = [*TEXTS, 0, 3, -1.5, 1e21, True, False]
HEADS = ["<A", "<UI.A", "<A<string, Array<B>>"]
SPACES = [" ", "  ", "\t", "\n\t\t", "\r\n  ", " /* c */ ", "\n// c > \" {\n"]
OTHERS = ['q="1"', "r={x.spread}", "s", "t={'🍞'}", "u={() => <i p=\"no\" {...x} />}", "v={`a${1}b`}", 'w="a > b"', "data-p=\"p\"",
          "y={/* p={1} */ 2}", "z={<A p=\"inner\" />}"]
LITERALS = ['"old"', "'old'", '{"old"}', "{'o\\'ld'}", "{`old`}", "{3}", "{0x1f}", "{true}", "{ -1.5 }", "{ /* c */ 'old' /* d */ }",
            '"&lt;old"', '{"🍞"}']


def element(dice):
    """The text of an element; whether its prop p is shorthand."""
    attributes = dice.sample(OTHERS, dice.randrange(4))
    shape = dice.choice(["present", "present", "absent", "shorthand"])
    if shape != "absent":
        attributes.insert(dice.randrange(len(attributes) + 1), "p" if shape == "shorthand" else "p=" + dice.choice(LITERALS))
    if shape != "absent" and dice.random() < 0.2:
        attributes.insert(0, "{...x}")
    text = dice.choice(HEADS) + "".join(dice.choice(SPACES) + one for one in attributes) + dice.choice(["", " ", "\n", " /* e */ "])
    return text + dice.choice(["/>", ">R&D {1}</" + text[1:].split("<")[0].split()[0].split("/")[0] + ">"]), shape == "shorthand"


def place_of(text, at):
    line = text.count("\n", 0, at) + 1
    begin = text.rfind("\n", 0, at) + 1
    column = len(text[begin:at].encode("utf-16-le")) // 2 + 1
    return {"kind": "jsxSite", "file": "src/Many.tsx", "line": line, "column": column, "ordinal": 0}


def source(dice):
    """A module, the places of its elements, and the value that each is to have."""
    text = "import { A } from './A';\r\nimport * as UI from './A';\r\ntype B = { '🍞': 1 & 2 };\nexport const all = (x: any) => [\n"
    places, cases = [], []
    for _ in range(SITES):
        one, shorthand = element(dice)
        text += dice.choice(["  ", "\t", "/* 🍞 */ "])
        places.append(place_of(text, len(text)))
        text += one + dice.choice([",\n", ", // c\r\n"])
        cases.append({"prop": "p", "value": dice.choice([True, False] if shorthand else VALUES)})
    return text + "];\n", places, cases


def undone(before, plan):
    """The text after, made of the plan by us."""
    for one in plan["edits"]:
        for edit in sorted(one["edits"], key=lambda edit: -edit["start"]):
            before = before[:edit["start"]] + edit["newText"].encode() + before[edit["end"]:]
    return before


def a_round(home, client, shop, seed):
    with step(f"seed {seed}: esbuild and TypeScript read the values, and nothing else has changed"):
        text, places, cases = source(random.Random(seed))
        path = os.path.join(shop, "src/Many.tsx")
        with open(path, "wb") as file:
            file.write(text.encode())
        put(client, shop, *[{"instanceId": f"i{i:03}", "path": "/p", "value": one["value"], "componentTypeId": "auto.src.A.A",
                             "instanceLocator": place} for i, (place, one) in enumerate(zip(places, cases))])
        plan = client.data(PLAN)
        need(plan["failures"] == [], f"{plan['failures'][:3]}")
        said = save(home)
        need(f"{SITES} drafts saved." in said, said)
        need(read(shop, "src/Many.tsx") == undone(text.encode(), plan), "not what the plan says")
        with open(os.path.join(shop, "cases.json"), "w", encoding="utf-8") as file:
            json.dump(cases, file)
        ended = subprocess.run([os.path.join(ROOT, "tools/node.sh"), os.path.join(ROOT, "tests/workbench/promotions.mjs"), path,
                                os.path.join(shop, "cases.json")], capture_output=True, text=True, timeout=120)
        need(ended.returncode == 0 and not ended.stdout, f"{ended.stdout[:600]} {ended.stderr[-600:]}")


def main():
    if not os.path.isdir(os.path.join(ROOT, "demo/harbour-legacy/node_modules/esbuild")):
        check.skipped("workbench-save", "promotions", "demo/harbour-legacy is not installed")
        return 0
    with daemon.Home(port=18513) as home:
        shop = home.path("work", "many")
        os.makedirs(os.path.join(shop, "src"))
        with open(os.path.join(shop, "src/A.tsx"), "w", encoding="utf-8") as file:
            file.write("export function A<T, U>(props: { p?: string }) { return null; }\n")
        home.tenon("up")
        with Seer(links.Stdio([daemon.TENON, "mcp", "workbench"], home.env, folder=shop)) as client:
            as_person(home, "open", shop, "--read")
            for seed in range(1, int(os.environ.get("SEEDS", "6")) + 1):
                a_round(home, client, shop, seed)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
