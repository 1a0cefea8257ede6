#!/usr/bin/env python3
"""untrusted.py - what a page says is named wherever it arrives at a client (workbench.md B4, M1): a page puts one word into
everything that it may say, and every place of every result that has it is below a pointer of `untrusted`."""
import json
import os
import sys

for folder in ("../lib", "../terminal"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import check  # noqa: E402
import daemon  # noqa: E402
from check import need  # noqa: E402
from acting import Page, assistant, op_clear, op_set, start  # noqa: E402
from core import ROOT, as_person, copy_demo  # noqa: E402
from preview import served, until  # noqa: E402

MARK = "PAGE-WORD"


def step(name):
    return check.Step("workbench-untrusted", name)


def places(value, pointer=""):
    """The pointers of all places with the word, in names of members, too."""
    if isinstance(value, dict):
        for name, inner in value.items():
            here = pointer + "/" + name.replace("~", "~0").replace("/", "~1")
            if MARK in name:
                yield here
            yield from places(inner, here)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from places(inner, f"{pointer}/{index}")
    elif isinstance(value, str) and MARK in value:
        yield pointer


def check_named(what, data, pointers):
    """How many places there are; all of them are named."""
    found = list(places(data))
    left = [one for one in found if not any(one == pointer or one.startswith(pointer + "/") for pointer in pointers)]
    need(not left, f"{what}: not named as a page's: {left[:4]}; named are {pointers}")
    return len(found)


class Liar(Page):
    """A page that says the word wherever it may."""

    def __init__(self, started):
        super().__init__(started)
        session = self.adapter.block["sessionId"]
        lies = {"displayName": MARK, "keyHint": MARK, "source": {"filePath": f"src/{MARK}.tsx", "line": 3},
                "props": {"label": MARK, MARK: 1}, "propsOmitted": {MARK: "function"},
                "instanceLocator": {"kind": "jsxSite", "file": f"src/{MARK}.tsx", "line": 3, "column": 1, "ordinal": 0}}
        self.adapter.say("runtime.instances", full=True, remove=[], upsert=[
            {"instanceId": f"{MARK}-0", "componentTypeId": "ui.card", **lies},
            {"instanceId": f"{MARK}-1", "componentTypeId": "ui.button", "parentInstanceId": f"{MARK}-0", **lies},
            {"instanceId": f"{MARK}-2", "componentTypeId": f"{MARK}.type", **lies}])
        for level in ("debug", "info", "warn", "error"):
            self.adapter.say("runtime.log", level=level, message=MARK, stack=MARK)
        self.adapter.say("runtime.routerStateChanged", pathname=f"/{MARK}", matchedRouteIds=[MARK], params={MARK: MARK})
        self.adapter.say("runtime.selectionChanged", sessionId=session, causedBy="click",
                         selected={"instanceId": f"{MARK}-1", "componentTypeId": "ui.button", **lies})

    def take(self, message):
        if message["type"] == "host.navigate":
            self.adapter.say("runtime.routerStateChanged", pathname=message["to"]["path"], matchedRouteIds=[MARK])
            self.adapter.say("runtime.result", requestId=message["requestId"], ok=True)
        else:
            super().take(message)


def resources(client, session):
    seen = 0
    with step("resources: all that have the page's word name where"):
        for uri in ("server/info", "workspaces", "workspace/config", "workspace/registry", "workspace/registry/index",
                    "workspace/registry/ui.button", "workspace/graph", "workspace/graph/patches", "workspace/overrides",
                    "workspace/overrides?limit=1", "workspace/overrides/save-plan", "preview/sessions", "preview/selection",
                    f"preview/sessions/{session}", f"preview/sessions/{session}/selection", f"preview/sessions/{session}/graph",
                    f"preview/sessions/{session}/instances", f"preview/sessions/{session}/instances?limit=1",
                    f"preview/sessions/{session}/logs"):
            envelope = client.see(uri)
            count = check_named(uri, envelope["data"], envelope["untrusted"])
            need(not list(places({**envelope, "data": 0, "untrusted": 0})), f"{uri}: outside of its data")
            as_tool = client.use("workbench_read_state", uri="skaffa://" + uri)
            need(check_named(uri, as_tool["data"], as_tool["untrusted"]) == count, f"{uri}: by the tool")
            seen += count
        need(seen > 60, f"{seen} places alone")


def tools(client, session):
    with step("tools: the same, whether they answer with an envelope or with a result"):
        for tool, arguments in {"workbench_get_selection": {}, "workbench_list_components": {}, "workbench_list_instances": {},
                                "workbench_get_component": {"typeId": "ui.button"},
                                "workbench_wait_for_selection": {"timeoutMs": 1000}}.items():
            got = client.use(tool, **arguments)
            check_named(tool, got["data"], got["untrusted"])
        calls = [("workbench_apply_overrides", {"ops": [op_set(f"{MARK}-1", "/label", "x")], "dryRun": True}),
                 ("workbench_apply_overrides", {"ops": [op_set(f"{MARK}-1", "/label", "x")]}),
                 ("workbench_apply_overrides", {"ops": [op_clear(f"{MARK}-1", "/label")]}),
                 ("workbench_apply_overrides", {"ops": [op_set(f"{MARK}-2", "/label", "x", componentTypeId="ui.card")]}),
                 ("workbench_undo", {}), ("workbench_select", {"instanceId": f"{MARK}-1"}),
                 ("workbench_navigate", {"to": {"path": f"/{MARK}/x"}})]
        for tool, arguments in calls:
            if tool != "workbench_undo":
                arguments = {"sessionId": session, **arguments}
            answer = client.ask("tools/call", name=tool, arguments=arguments)["result"]
            got = answer["structuredContent"]
            count = check_named(f"{tool} {arguments}", {**got, "untrusted": 0}, got.get("untrusted", []))
            need(count, f"{tool} {arguments}: the word is not there: {got}")


def prompts(client):
    with step("prompts: what is filled in is JSON, and said to be no instructions"):
        names = [one["name"] for one in client.ask("prompts/list")["result"]["prompts"]]
        need(names, "there are prompts")
        for name in names:
            text = client.ask("prompts/get", name=name)["result"]["messages"][0]["content"]["text"]
            need(MARK in text and text.endswith("not instructions."), f"{name}: {text[-200:]}")


def pages(client, session, page):
    with step("M4. more drafts and more logs than an answer holds come in pages, and nothing is left out"):
        found, cursor, count = [], "", 0
        while True:
            data = client.use("workbench_read_state", uri=f"skaffa://workspace/overrides{cursor}")["data"]
            need(data["total"] == 2000 and len(json.dumps(data)) < 64 * 1024, f"{data.get('total')} {len(json.dumps(data))}")
            found, count = found + [one["instanceId"] for one in data["overrides"]], count + 1
            if "nextCursor" not in data:
                break
            cursor = "?cursor=" + data["nextCursor"].replace("/", "%2F").replace(":", "%3A")
        need(count > 3 and found == [f"x{number:04}" for number in range(2000)], f"{count} pages, {len(found)} drafts")
        need(data["file"] == {"path": ".skaffa/overrides.v0.json", "exists": True, "content": None, "truncated": True}, f"{data['file']}")
        for number in range(150):
            page.adapter.say("runtime.log", level="info", message=f"{number:04}" + "y" * 2000)
        uri = f"skaffa://preview/sessions/{session}/logs"
        until(lambda: client.use("workbench_read_state", uri=uri)["data"]["entries"][-1]["message"].startswith("0149"), "the last")
        found, cursor, count = [], "", 0
        while True:
            data = client.use("workbench_read_state", uri=f"{uri}?level=info{cursor}")["data"]
            found, count = [one["message"][:4] for one in data["entries"]] + found, count + 1
            if "nextCursor" not in data:
                break
            cursor = f"&cursor={data['nextCursor']}"
        need(count > 5 and found[-150:] == [f"{number:04}" for number in range(150)], f"{count} {found[-150:][:3]}")
        need(len(client.use("workbench_read_state", uri=f"{uri}?limit=2")["data"]["entries"]) == 2, "limit")


def main():
    with daemon.Home(port=17984, TENON_WORKBENCH_ACTUATION="allow") as home, \
            served(os.path.join(ROOT, "demo/plain")) as port:
        home.tenon("up")
        shop = copy_demo(home)
        config = os.path.join(shop, "skaffa.config.json")
        with open(config, encoding="utf-8") as file:
            text = file.read()
        with open(config, "w", encoding="utf-8") as file:
            file.write(text.replace("{", '{"ai":{"prompts":[{"name":"all","template":"{{selection}} {{source}} {{overrides}}"}]},', 1))
        as_person(home, "open", shop, "--read")
        started = start(home, port)
        page = Liar(started)
        with assistant(home, shop) as client:
            until(lambda: (client.see("preview/selection")["data"]["current"] or {}).get("selected"), "a selection")
            client.use("workbench_apply_overrides", sessionId=started["sessionId"], ops=[
                op_set(f"{MARK}-1", "/label", MARK), op_set(f"{MARK}-1", "/tone", "quiet")])
            resources(client, started["sessionId"])
            tools(client, started["sessionId"])
            prompts(client)
            with open(os.path.join(shop, ".skaffa/overrides.v0.json"), "w", encoding="utf-8") as file:
                json.dump({"schemaVersion": "v0", "updatedAt": "2026-01-31T08:44:40.000Z", "app": {"overrides": [
                    {"instanceId": f"x{number:04}", "path": "/label", "value": "v" * 100, "componentTypeId": "ui.button"}
                    for number in range(2000)]}}, file)
            until(lambda: client.see("workspace/overrides")["data"].get("total") == 2000, "the file's drafts")
            pages(client, started["sessionId"], page)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
