#!/usr/bin/env python3
"""demonstration.py [LANE] [--show] - scenarios 2, 14, 18 to 23, 26 and 27 of workbench-demo.md in one go: a person opens the demo
and looks at it in Chromium, an assistant sees what is selected, tries a change, and the person saves it. --show prints what the
assistant reads and does."""
import json
import os
import sys

for folder in ("../lib", "../terminal"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import check  # noqa: E402
import daemon  # noqa: E402
from acting import LASTING, assistant, op_clear, op_set  # noqa: E402
from check import need  # noqa: E402
from core import as_person, names  # noqa: E402
from managed import LANES, NODE, call, contents, copy_of, in_folder, missing  # noqa: E402
from preview import until  # noqa: E402
from shown import Shown, vite  # noqa: E402

PORT = int(os.environ.get("TENON_DEMONSTRATION_PORT", "17930"))
SHOW = "--show" in sys.argv


def show(what, value=None):
    if SHOW:
        text = "" if value is None else " " + (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        print(f"  {what}{text[:400]}", flush=True)


def write(path, text):
    """At once, as editors do: a server that reads half a file has an error until the next change."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)


def site(shop, name, file="src/pages/Home.tsx"):
    """Line and column, from 1, of the element below the mark `@site:NAME`."""
    with open(os.path.join(shop, file), encoding="utf-8") as lines:
        text = lines.read().split("\n")
    at = next(i for i, line in enumerate(text) if f"@site:{name} " in line) + 1
    return {"filePath": file, "line": at + 1, "column": text[at].index("<Button" if "<Button" in text[at] else "<") + 1}


class Story:
    def __init__(self, lane, home, shop, client):
        self.lane, self.home, self.shop, self.client = lane, home, shop, client
        self.page = self.session = None

    def step(self, name):
        if SHOW:
            print(name, flush=True)
        return check.Step(f"workbench-demonstration-{self.lane}", name)

    def selection(self):
        return self.client.use("workbench_get_selection")["data"]["current"]

    def select(self, act, expected):
        """What the assistant sees once the person has done `act`."""
        self.page.do(*act)
        show("the person does", act)
        seen = until(lambda: (lambda now: now and now["selected"] and now["selected"]["componentTypeId"] == expected and now)(self.selection()),
                     f"{expected} is selected")
        show("workbench_get_selection:", seen["selected"])
        show("where it is written:", seen["source"])
        return seen

    def nothing(self, act):
        self.page.do(*act)
        until(lambda: (self.selection() or {}).get("selected") is None, f"nothing is selected after {act}")
        show(f"the person does {act}: nothing is selected")

    def change(self, *ops):
        done, error = self.client.try_to("workbench_apply_overrides", sessionId=self.session, ops=list(ops))
        show("workbench_apply_overrides:", list(ops))
        need(done and done["statuses"] == "reported", f"{done} {error}")
        return done

    # ---- the scenes ----

    def reads(self):
        with self.step("2. an assistant reads what there is: types, props, routes"):
            registry = self.client.data("workspace/registry")["registry"]["components"]
            need("ui.button" in registry and "ui.swatch" not in registry, f"{sorted(registry)}")
            graph = self.client.data("workspace/graph")["graph"]
            need("routeId:item" in names(graph["nodes"], "route"), "routes")
            show("component types:", sorted(registry))
            show("routes:", sorted(names(graph["nodes"], "route")))

    def begins(self):
        with self.step("14. it begins the project's own Vite, once the person agrees; nothing of the project changes"):
            before = contents(self.shop)
            done, error = self.client.try_to("workbench_start_preview", target={"type": "app", "launcherId": "vite"})
            need(done and done["session"]["url"].startswith("http://127.0.0.1:"), f"{error}")
            show("the person was asked:", self.client.asked[-1].split("\n")[0])
            self.session = done["session"]["sessionId"]
            self.page = Shown(done["session"]["url"])
            if not self.page.opened:
                return False
            until(lambda: self.client.see("preview/sessions")["data"]["sessions"][0]["state"] == "ready", "ready")
            need(contents(self.shop) == before, "the project is as it was")
        with self.step("18. the page is element for element what it is without the workbench"), vite(self.shop) as url:
            bare = Shown(url)
            ours, theirs = self.page.do("html"), bare.do("html")
            bare.end()
            need(ours == theirs, f"{ours}\n{theirs}")
        return True

    def sees(self):
        with self.step("19. a click selects, and the app does not hear of it"):
            seen = self.select(("click", "Order now"), "ui.button")
            selected = seen["selected"]
            where = {name: seen["source"][name] for name in ("filePath", "line", "column")}
            need(where == site(self.shop, "order"), f"{seen['source']} is not {site(self.shop, 'order')}")
            need(selected["props"] == {"label": "Order now", "tone": "primary"}, f"{selected['props']}")
            need(selected["propsOmitted"] == {"onClick": "function"} and "Orders: 0" in self.page.do("text"), f"{selected}")
            before = self.page.do("is", ".toggle", "aria-checked")
            self.select(("down", "Notify me"), "ui.toggle")
            self.page.do("up")
            need(self.page.do("is", ".toggle", "aria-checked") == before == "false", "it did not flip")
        with self.step("20. of three from one line each is itself"):
            ids = {}
            for ordinal, loaf in enumerate(("Rye", "Spelt", "Oat")):
                selected = self.select(("click", loaf), "ui.button")["selected"]
                need(selected["keyHint"] == loaf and selected["instanceLocator"]["ordinal"] == ordinal, f"{selected}")
                ids[loaf] = selected["instanceId"]
            need(len(set(ids.values())) == 3, f"{ids}")
        with self.step("21. the background and Escape select nothing"):
            self.nothing(("at", 990, 690))
            self.select(("click", "Order now"), "ui.button")
            self.nothing(("key", "Escape"))
        return ids

    def tries(self, ids):
        spelt = ids["Spelt"]
        card = next(one["instanceId"] for one in self.client.use("workbench_list_instances", typeId="ui.card")["data"]["instances"]
                    if one["props"].get("title") == "Today")
        with self.step("22. what it tries is seen at once, and stays: in use, over a hot update and a reload"):
            baseline = self.page.do("html")
            self.client.decide = lambda message: LASTING
            self.change(op_set(spelt, "/label", "Emmer"), op_set(card, "/style/color", "rgb(1, 2, 3)"))
            held = lambda: "Emmer" in self.page.do("text") and self.page.do("style", "Today", "color") == "rgb(1, 2, 3)"
            need(held(), "at once")
            call(self.home, "workbench_set_mode", sessionId=self.session, mode="interact")
            until(lambda: self.page.do("click", "Order now") or "Orders: 1" in self.page.do("text"), "the app hears clicks")
            orders = next(line for line in self.page.do("text").split("\n") if line.startswith("Orders: "))
            need(held(), "after the parents have rendered")
            path = os.path.join(self.shop, "src/components/Button.tsx")
            with open(path, encoding="utf-8") as file:
                text = file.read()
            write(path, text.replace("type=\"button\"", "type=\"button\" data-hot=\"1\""))
            until(lambda: self.page.do("is", "button.button", "data-hot") == "1", "hot update")
            need(held() and orders in self.page.do("text"), "over a hot update, and the app's state, too")
            write(path, text)
            until(lambda: self.page.do("is", "button.button", "data-hot") is None, "hot update")
            self.page.do("reload")
            until(held, "after a reload")
        with self.step("23. cleared, the page is as the code says"):
            self.change(op_clear(spelt, "/label"), op_clear(card, "/style/color"))
            # React leaves the attribute behind that it has emptied, as it does when an app takes a style back.
            until(lambda: self.page.do("html").replace(' style=""', "") == baseline, "the baseline, byte for byte")

    def saves(self):
        path = os.path.join(self.shop, "src/pages/Home.tsx")
        call(self.home, "workbench_set_mode", sessionId=self.session, mode="editor")
        one = self.select(("click", "Order now"), "ui.button")["selected"]["instanceId"]
        self.change(op_set(one, "/label", "Order today"))
        with self.step("26. a line above it: found again after a reload"):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            write(path, text.replace("import { useEffect", "// a line more\nimport { useEffect", 1))
            self.page.do("reload")
            draft = until(lambda: next((row for row in self.client.data("workspace/overrides")["overrides"]
                                        if row["value"] == "Order today" and row["status"] == "applied" and row.get("reboundFrom")), None),
                          "rebound")
            show("the draft:", draft)
            until(lambda: "Order today" in self.page.do("text"), "on the page")
        with self.step("27. the person saves: one literal changes, the draft goes, the page shows the code"):
            plan = until(lambda: self.client.data("workspace/overrides/save-plan"), "a plan")
            show("the save plan:", plan["diff"])
            with open(path, encoding="utf-8") as file:
                before = file.read()
            told = in_folder(self.home, self.shop, "save")
            show("tenon workbench save:", told)
            with open(path, encoding="utf-8") as file:
                after = file.read()
            need(after == before.replace('label="Order now"', 'label="Order today"', 1) != before, after)
            need(self.client.data("workspace/overrides")["overrides"] == [], "no draft is left")
            until(lambda: "Order today" in self.page.do("text"), "by hot update")
            need(self.page.do("faults") == [], f"{self.page.do('faults')}")


def lane_of(lane, number):
    why = missing(lane)
    if why:
        check.skipped(f"workbench-demonstration-{lane}", "everything", why)
        return
    shop = copy_of(lane, f"demonstration-{lane}")
    with daemon.Home(port=PORT + number, PATH=NODE + ":" + os.environ["PATH"]) as home:
        home.tenon("up")
        show("tenon workbench open --read --trust:", as_person(home, "open", shop, "--read", "--trust"))
        with assistant(home, shop) as client:
            client.decide = lambda message: client.offered[0]
            story = Story(lane, home, shop, client)
            story.reads()
            try:
                if story.begins():
                    story.tries(story.sees())
                    story.saves()
            finally:
                if story.page:
                    story.page.end()


def main():
    for number, lane in enumerate(LANES):
        if not [word for word in sys.argv[1:] if word in LANES] or lane in sys.argv[1:]:
            lane_of(lane, number)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
