#!/usr/bin/env python3
"""agreed.py - what a person agrees to is what happens, and what is answered is so (workbench.md section 17): tries to get around it."""
import json
import os
import sys
import threading
import time

for folder in ("../lib", "../terminal"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import check  # noqa: E402
import daemon  # noqa: E402
from acting import LASTING, ONCE, REFUSE, Page, a_person, assistant, known, op_clear, op_set  # noqa: E402
from check import need  # noqa: E402
from core import ROOT, Follower, as_person, copy_demo  # noqa: E402
from preview import served, start, until  # noqa: E402


def step(name):
    return check.Step("workbench-agreed", name)


class Preview:
    """A page of the folder, and whoever acts on it."""

    def __init__(self, home, shop, client, port):
        as_person(home, "open", shop, "--read")
        self.client, self.started = client, start(home, port)
        self.session, self.page = self.started["sessionId"], Page(self.started)
        known(client, self.started)

    def use(self, tool, **more):
        return self.client.try_to("workbench_" + tool, sessionId=self.session, **more)

    def apply(self, *ops, **more):
        return self.use("apply_overrides", ops=list(ops), **more)


def slowly(preview):
    """After what the person allows for the session."""
    page = preview.page

    def select_slowly(message):
        page.adapter.say("runtime.result", requestId=message["requestId"], ok=True)
        time.sleep(0.15)
        page.adapter.select(message["instanceId"], "ui.button", props={})

    def take(message):
        if message["type"] == "host.select":
            threading.Timer(0.4, select_slowly, [message]).start()

    with step("17.5. a slow page's selection is waited for: the answer has what is selected then"):
        page.take, before = take, page.take
        done, error = preview.use("select", instanceId="b2")
        page.take = before
        need(done and done["selected"] and done["selected"]["instanceId"] == "b2", f"{done} {error}")


def targets(preview, port, other):
    client = preview.client
    with step("V5. who is asked about an address sees the one that is previewed, whatever else the target says"):
        client.decide = lambda message: client.offered[0]
        target = {"type": "component", "componentTypeId": "ui.button", "harnessUrl": f"http://127.0.0.1:{other}/"}
        client.try_to("workbench_start_preview", target={**target, "harnessUrl": f"http://127.0.0.1:{port}/"})
        client.decide = lambda message: REFUSE
        _, error = client.try_to("workbench_start_preview", target={**target, "url": f"http://127.0.0.1:{port}/"})
        need(error and error["error"] == "CONSENT_DECLINED" and f"127.0.0.1:{other}" in client.asked[-1], f"{error} {client.asked}")
        client.decide = lambda message: client.offered[0] if f":{other}" in message else REFUSE
        drawn, error = client.try_to("workbench_start_preview", target={
            "type": "component", "componentTypeId": "ui.button", "harnessUrl": f"http://127.0.0.1:{other}/", "url": "http://127.0.0.1:1/"})
        need(drawn, f"{error}")
        count = len(client.asked)
        client.try_to("workbench_capture", sessionId=drawn["session"]["sessionId"])
        need(len(client.asked) == count, f"a picture of what may be previewed is not asked about: {client.asked[count:]}")
        client.try_to("workbench_stop_preview", sessionId=drawn["session"]["sessionId"])


def named(preview):
    """After what the person allows for the session."""
    client, page = preview.client, preview.page
    client.decide = lambda message: LASTING
    with step("O8, 17.3. a set that is there already: its draft is told as it is, and reported only when it has been"):
        page.reports = False
        done, error = preview.apply(op_set("b2", "/label", "Pending"))
        need(done and done["statuses"] == "pending", f"{done} {error}")
        done, _ = preview.apply(op_set("b2", "/label", "Pending"))
        need((done["unchanged"], done["statuses"]) == (1, "pending"), f"{done}")
        need([(one["value"], one["status"]) for one in done["overrides"]] == [("Pending", "pending")], f"{done}")
        dry, _ = preview.apply(op_set("b2", "/label", "Pending"), op_set("b1", "/label", "Dry"), dryRun=True)
        need([one["value"] for one in dry["overrides"]] == ["Pending", "Dry"], f"{dry}")
        page.reports = True
        preview.apply(op_set("b1", "/label", "Now"))
        done, _ = preview.apply(op_set("b2", "/label", "Pending"))
        need((done["unchanged"], done["statuses"], done["overrides"][0]["status"]) == (1, "reported", "applied"), f"{done}")


def taken(home, shop, preview):
    client = preview.client
    with a_person(home, shop) as user, step("V5. a person's draft that an assistant has changed is not cleared unasked"):
        user.try_to("workbench_apply_overrides", group="app", ops=[op_set("b2", "/tone", "quiet")])
        count = len(client.asked)
        done, error = preview.apply(op_set("b2", "/tone", "primary"))
        need(done and len(client.asked) == count, f"{error}")
        client.decide = lambda message: REFUSE
        _, error = preview.apply(op_clear("b2", "/tone"))
        need(error and error["error"] == "CONSENT_DECLINED" and "Drafts that a person has made" in client.asked[-1], f"{error}")
        client.decide = lambda message: ONCE
        done, error = preview.apply(op_clear("b2", "/tone"))
        need(done, f"{error}")


def questions(home, shop, preview):
    """Where the person has not allowed anything for the session."""
    client = preview.client
    client.decide = lambda message: REFUSE
    with step("V6. what is too long for the first line of a question stands whole below it, and so does the reason, of every act"):
        path = "/menu/" + "a" * 400 + "?delete=all"
        _, error = preview.use("navigate", to={"path": path}, reason="To look")
        need(error["error"] == "CONSENT_DECLINED" and path + "\nThe assistant's reason: \"To look\"" in client.asked[-1], client.asked[-1])
        preview.use("select", instanceId="b1", reason="To see")
        need('The assistant\'s reason: "To see"' in client.asked[-1], client.asked[-1])
    with a_person(home, shop) as user, step("V6. that a person's draft is cleared is said before what an assistant can make long"):
        user.try_to("workbench_apply_overrides", group="app", ops=[op_set("b1", "/label", "Mine"), op_set("b2", "/label", "Mine")])
        long = "\u202e" * 160
        preview.apply(op_clear("b1", "/label"), op_set("b2", "/label", long), op_set("b2", "/tone", "quiet"), reason=long)
        need(client.asked[-1].split("\n")[2] == "Drafts that a person has made are cleared.", client.asked[-1])
        need('"b1" "/label": "Mine" -> ' in client.asked[-1], client.asked[-1])
        _, error = client.try_to("workbench_undo", reason="A mistake")
        need("A mistake" in client.asked[-1] and "Take back" in client.asked[-1], client.asked[-1])
        user.try_to("workbench_undo")


def filling(home, port):
    """A folder that nobody trusts yet, and that has much to say."""
    shop = copy_demo(home, "harbour")
    os.makedirs(os.path.join(shop, ".skaffa"))
    drafts = [{"instanceId": f"i{i}", "path": "/label", "value": "x" * 100} for i in range(5000)]
    with open(os.path.join(shop, ".skaffa/overrides.v0.json"), "w", encoding="utf-8") as file:
        json.dump({"schemaVersion": "v0", "updatedAt": "2026-01-31T08:44:40.000Z", "app": {"overrides": drafts}}, file)
    path = os.path.join(shop, "skaffa.config.json")
    with open(path, encoding="utf-8") as file:
        config = json.load(file)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**config, "ai": {"prompts": [{"name": "many", "template": "{{overrides}}" * 5000},
                                                {"name": "twice", "template": "{{source}}{{source}}"}]}}, file)
    home.tenon("up")
    as_person(home, "open", shop, "--read")
    with assistant(home, shop) as client, step("ai.prompts: a template that asks for more than an answer holds keeps nobody waiting"):
        need(client.see("workspace/overrides")["status"] == "ok", "drafts are there")
        until(lambda: "twice" in [one["name"] for one in client.ask("prompts/list")["result"]["prompts"]], "offered")
        began = time.monotonic()
        answer = client.ask("prompts/get", name="many")
        took = time.monotonic() - began
        check.need_quick(took, 2)
        need("error" in answer, str(answer)[:200])
        text = client.ask("prompts/get", name="twice")["result"]["messages"][0]["content"]["text"]
        need(text.count("(where it is written is not known)") == 2, text)


def guardrails(home, port):
    """guardrails.mcpActuation of the folder, where the setting is `allow`."""
    shop = copy_demo(home)
    path = os.path.join(shop, "skaffa.config.json")
    with open(path, encoding="utf-8") as file:
        config = json.load(file)

    def guard(word):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({**config, "guardrails": {**config.get("guardrails", {}), "mcpActuation": word}}, file)

    guard("confirm")
    home.tenon("up")
    with assistant(home, shop) as client, a_person(home, shop) as user:
        preview = Preview(home, shop, client, port)
        acts = lambda: client.data("server/info")["features"]["actuation"]
        with step("T22, V1. a folder may be stricter than the setting: confirm"):
            need(acts() == "confirm", acts())
            client.decide = lambda message: REFUSE
            _, error = preview.apply(op_set("b1", "/label", "Buy"))
            need(error and error["error"] == "CONSENT_DECLINED" and len(client.asked) == 1, f"{error} {client.asked}")
        with step("T22, V1. off: nothing is done for assistants, and nobody is asked; persons act"):
            follower = Follower(client, ["server/info"])
            guard("off")
            need("server/info" in follower.heard(10, until="server/info"), "whoever follows server/info is told")
            until(lambda: acts() == "off", "read")
            target = {"type": "app", "url": f"http://127.0.0.1:{port}/"}
            for tool, more in (("apply_overrides", {"ops": [op_set("b1", "/label", "Buy")]}), ("select", {"instanceId": "b1"}),
                               ("navigate", {"to": {"path": "/menu/7"}})):
                _, error = preview.use(tool, **more)
                need(error and error["error"] == "DENIED_BY_POLICY", f"{tool}: {error}")
            _, error = client.try_to("workbench_start_preview", target=target)
            need(error and error["error"] == "DENIED_BY_POLICY" and len(client.asked) == 1, f"{error} {client.asked}")
            done, error = user.try_to("workbench_apply_overrides", group="app", ops=[op_set("b1", "/label", "Mine")])
            need(done and preview.page.held == {("b1", "/label"): "Mine"}, f"{error}")


def main():
    with served(os.path.join(ROOT, "demo/plain")) as port, served(os.path.join(ROOT, "demo/plain")) as other:
        with daemon.Home(port=int(os.environ.get("TENON_HTTP_PORT", "18513"))) as home:
            shop = copy_demo(home)
            home.tenon("up")
            with assistant(home, shop) as client:
                preview = Preview(home, shop, client, port)
                questions(home, shop, preview)
                targets(preview, port, other)
                named(preview)
                slowly(preview)
                taken(home, shop, preview)
        with daemon.Home(port=int(os.environ.get("TENON_HTTP_PORT", "18513")), TENON_WORKBENCH_ACTUATION="allow") as home:
            guardrails(home, port)
        with daemon.Home(port=int(os.environ.get("TENON_HTTP_PORT", "18513"))) as home:
            filling(home, port)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
