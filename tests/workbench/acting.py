#!/usr/bin/env python3
"""acting.py - the tools of the workbench that act (workbench.md section 17 and section 0, Acting): what is listed, who is asked
about what, and that what was agreed to is what happens. The test plays the adapter, the assistant and the person."""
import base64
import contextlib
import json
import os
import shutil
import signal
import sys
import threading
import time

for folder in ("../lib", "../terminal"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import check  # noqa: E402
import daemon  # noqa: E402
import links  # noqa: E402
import person  # noqa: E402
from check import need  # noqa: E402
from core import ROOT, SIX, Seer, as_person, copy_demo  # noqa: E402
from places import Refused  # noqa: E402
from preview import Adapter, block_of, fetch, served, start, until  # noqa: E402

ACTING = [f"workbench_{name}" for name in ("apply_overrides", "capture", "navigate", "select", "start_preview", "stop_preview",
                                               "undo")]
ONCE, REFUSE = "Approve once", "Refuse"
LASTING = "Allow props, selection and routes in this preview for 30 minutes"


def step(name):
    return check.Step("workbench-acting", name)


class Assistant(Seer):
    """`asked` has the questions that its user saw; `decide` answers them."""

    def take(self, seconds):
        message = self.link.receive(seconds)
        if message.get("method") == "elicitation/create":
            self.asked.append(message["params"]["message"])
            self.offered = message["params"]["requestedSchema"]["properties"]["decision"]["enum"]
            self.link.send({"jsonrpc": "2.0", "id": message["id"], "result": {
                "action": "accept", "content": {"decision": self.decide(message["params"]["message"])}}})
        elif "id" in message:
            self.answers[message["id"]] = message
        else:
            self.notes.append(message)

    def try_to(self, tool, **arguments):
        """(what came, None), or (None, the error's object)."""
        answer = self.ask("tools/call", name=tool, arguments=arguments)
        if "error" in answer:
            return None, answer["error"]
        content = answer["result"].get("structuredContent", {})
        core = isinstance(content.get("error"), str)  # of the core, in its own words
        need(core or json.loads(answer["result"]["content"][0]["text"]) == content, "text is the same JSON")
        if not answer["result"].get("isError"):
            need(content["ok"] is True, f"{content}")
            return content, None
        return None, content if core else content["error"]


def assistant(home, folder, elicits=True):
    link = links.Stdio([daemon.TENON, "mcp", "workbench"], home.env, folder=folder)
    client = Assistant.__new__(Assistant)
    client.notes = []
    super(Seer, client).__init__(link, elicits)
    return client


def a_person(home, folder):
    """The page: a connection with a person's token."""
    token = person.do("ask", path=home.runtime("person.sock"))["token"]
    url = f"ws://127.0.0.1:{home.discovery()['httpPort']}/ws/workbench"
    client = Assistant.__new__(Assistant)
    client.notes = []
    super(Seer, client).__init__(links.WebSocket(url, token), False)
    return client


def listed(client):
    return sorted(tool["name"] for tool in client.ask("tools/list")["result"]["tools"])


def op_set(instance, path, value, **more):
    return {"op": "set", "instanceId": instance, "path": path, "value": value, **more}


def op_clear(instance, path):
    return {"op": "clear", "instanceId": instance, "path": path}


def known(client, started):
    """Ready, and the daemon has taken what the page said of its buttons: before that they cannot be changed."""
    at = f"preview/sessions/{started['sessionId']}"
    until(lambda: client.see(at)["data"]["state"] == "ready", "ready")
    until(lambda: {"b1", "b2"} <= {one["instanceId"] for one in client.see(f"{at}/instances")["data"]["instances"]}, "the buttons")


class Page:
    """A page with two buttons, which says what became of every draft that it is sent."""

    def __init__(self, started):
        self.adapter = Adapter(block_of(fetch(started["url"].rstrip("/"))[1]), origin=started["url"].rstrip("/"))
        self.held, self.batches, self.said = {}, [], []
        self.adapter.say("runtime.ready", key=self.adapter.block["key"], adapterId="fake", adapterVersion="1", capabilities={
            "selection": True, "overrides": True, "instances": True, "navigate": True},
            page={"pageId": "p", "url": started["url"], "title": "T"})
        self.take(self.adapter.hear("host.init"))
        self.adapter.say("runtime.instances", full=True, remove=[], upsert=[
            {"instanceId": name, "componentTypeId": "ui.button", "props": {"label": "Order now", "tone": "primary"}}
            for name in ("b1", "b2")])
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reports = True
        self.reader.start()

    def read(self):
        with contextlib.suppress(OSError):  # it ends with its page
            while got := self.adapter.frame(None):
                if got[0] == 1:
                    self.take(json.loads(got[1]))

    def take(self, message):
        self.said.append(message)
        if message["type"] == "host.select":
            self.adapter.say("runtime.selectionChanged", sessionId=self.adapter.block["sessionId"], causedBy="programmatic",
                             selected=message["instanceId"] and {"instanceId": message["instanceId"],
                                                                "componentTypeId": "ui.button", "props": {}})
            self.adapter.say("runtime.result", requestId=message["requestId"], ok=True)
        elif message["type"] == "host.navigate":
            path = message["to"]["path"]
            if path.startswith("/menu"):
                self.adapter.say("runtime.routerStateChanged", pathname=path, matchedRouteIds=["root", "item"])
            self.adapter.say("runtime.result", requestId=message["requestId"], ok=path.startswith("/menu"),
                             **({} if path.startswith("/menu") else {"error": {"code": "navigation_unsupported", "message": "<b>"}}))
        elif message["type"] == "host.init":
            self.held = {(one["instanceId"], one["path"]): one["value"] for one in message["initialOverrides"]}
        elif message["type"] == "host.applyOverrides":
            self.batches.append(message["ops"])
            for op in message["ops"]:
                if op["op"] == "set":
                    self.held[op["instanceId"], op["path"]] = op["value"]
                else:
                    self.held.pop((op["instanceId"], op["path"]), None)
            if self.reports:
                self.adapter.say("runtime.overrideStatus", orphaned=[], applied=[
                    {"instanceId": instance, "path": path} for instance, path in self.held])


def tools(home, folder):
    with step("V1. what is listed: with `confirm` what acts, too; for persons their own"):
        with assistant(home, folder) as client:
            need(listed(client) == sorted(SIX + ACTING), f"{listed(client)}")
            need(client.data("server/info")["features"]["actuation"] == "confirm", "said in server/info")


def applies(client, page, session):
    use = lambda *ops, **more: client.try_to("workbench_apply_overrides", sessionId=session, ops=list(ops), **more)
    with step("17.3. dryRun shows what would be, asks nobody and changes nothing"):
        done, _ = use(op_set("b1", "/label", "Buy"), dryRun=True)
        need(done["applied"] == 1 and done["dryRun"] and done["revision"] == 0 and not client.asked, f"{done} {client.asked}")
        need(done["overrides"][0]["value"] == "Buy" and done["inverseOps"] == [op_clear("b1", "/label")], f"{done}")
        need(client.data("workspace/overrides")["overrides"] == [], "nothing is there")
    with step("V6. the question says old and new; a refusal changes nothing"):
        client.decide = lambda message: REFUSE
        done, error = use(op_set("b1", "/label", "Buy"), reason="It sells more")
        need(not done and error["error"] == "CONSENT_DECLINED" and len(client.asked) == 1, f"{error} {client.asked}")
        for words in ('"b1" "/label": "Order now" (the code\'s) -> "Buy"', "It sells more", "wants this done"):
            need(words in client.asked[0], f"{words!r} is not in {client.asked[0]}")
        need(client.offered == [ONCE, LASTING, REFUSE], f"{client.offered}")
        need(not page.held and not page.batches, f"{page.batches}")
    with step("17.3. approved once: made, shown by the page, and its status is in the answer"):
        client.decide = lambda message: ONCE
        done, error = use(op_set("b1", "/label", "Buy"))
        need(done and done["statuses"] == "reported" and done["revision"] == 1 and done["applied"] == 1, f"{done} {error}")
        need(done["overrides"][0]["status"] == "applied" and done["overrides"][0]["componentTypeId"] == "ui.button", f"{done}")
        need(page.held == {("b1", "/label"): "Buy"}, f"{page.held}")
        count = len(client.asked)
        again, _ = use(op_set("b1", "/label", "Buy"))
        need(again["unchanged"] == 1 and again["revision"] == 1 and len(client.asked) == count, "no effect, no question")
        use(op_set("b1", "/label", "Take"))
        need(len(client.asked) == count + 1 and '"Buy" -> "Take"' in client.asked[-1], f"{client.asked[-1]}")
    with step("V3. all ops that fail are told; another revision is STALE_REVISION with the one that is"):
        _, error = use(op_set("b1", "/label", "x"), op_set("b1", "/nope", 1), {"op": "set"}, op_set("who", "/label", "y"))
        need(error["code"] == "validation_failed" and not error["retryable"], f"{error}")
        need([(one["index"], one["code"]) for one in error["details"]["ops"]] ==
             [(1, "unknown_prop"), (2, "malformed_op"), (3, "unknown_instance")], f"{error}")
        _, error = use(op_set("b1", "/label", "x"), expectedRevision=1)
        need(error["error"] == "STALE_REVISION" and error["details"] == {"revision": 2}, f"{error}")
        need(page.held == {("b1", "/label"): "Take"}, f"{page.held}")
    with step("O10. inverseOps take it back"):
        done, _ = use(op_set("b1", "/label", "Give"), op_set("b2", "/tone", "quiet"))
        use(*done["inverseOps"])
        need(page.held == {("b1", "/label"): "Take"}, f"{page.held}")
    with step("V5. for this session: one more question, then none"):
        client.decide = lambda message: LASTING
        use(op_set("b2", "/label", "A"))
        count = len(client.asked)
        for value in "BCD":
            done, _ = use(op_set("b2", "/label", value))
            need(done["statuses"] == "reported", f"{done}")
        need(len(client.asked) == count and page.held["b2", "/label"] == "D", f"{client.asked[count:]}")


def moves(client, page, session):
    """With the approval for the session that `applies` left."""
    use = lambda tool, **more: client.try_to("workbench_" + tool, sessionId=session, **more)
    with step("17.5. select needs no more than apply, moves the page's selection and gives it enriched"):
        count = len(client.asked)
        done, error = use("select", instanceId="b2")
        need(done and done["selected"]["instanceId"] == "b2" and done["registryMatch"]["status"] == "matched", f"{error}")
        need("/selected" in done["untrusted"] and len(client.asked) == count, f"{client.asked[count:]}")
        need(client.see("preview/selection")["data"]["current"]["selected"]["instanceId"] == "b2", "for everybody")
        _, error = use("select", instanceId="b3")
        need(error["code"] == "unknown_instance", f"{error}")
        done, _ = use("select", instanceId=None)
        need(done["selected"] is None, f"{done}")
    with step("17.4. navigate: by path, by route with params, and what is no destination"):
        done, error = use("navigate", to={"path": "/menu/7"})
        need(done and (done["pathname"], done["how"], done["matchedRouteIds"]) == ("/menu/7", "router", ["root", "item"]),
             f"{done} {error}")
        done, _ = use("navigate", to={"routeId": "routeId:item", "params": {"itemId": "rye bread"}})
        need(done["pathname"] == "/menu/rye%20bread" and len(client.asked) == count, f"{done}")
        for to, code in (({"path": "//evil.example"}, "invalid_path"), ({"path": "/\\\\evil"}, "invalid_path"),
                         ({"path": "https://evil.example/"}, "invalid_path"), ({"routeId": "routeId:none"}, "route_unknown"),
                         ({"routeId": "routeId:item"}, "missing_param"), ({"path": "/about"}, "navigation_unsupported")):
            _, error = use("navigate", to=to)
            need(error["code"] == code and "<b>" not in error["message"], f"{to}: {error}")


def persons(home, shop, client, page, session):
    with a_person(home, shop) as user:
        use = lambda *ops, **more: user.try_to("workbench_apply_overrides", ops=list(ops), **more)
        with step("section 0. a person names a group or a session, and is not asked; an assistant cannot name a group"):
            done, error = use(op_set("b1", "/label", "Mine"), group="app")
            need(done and done["statuses"] == "reported" and page.held["b1", "/label"] == "Mine", f"{done} {error}")
            _, error = client.try_to("workbench_apply_overrides", group="app", ops=[op_set("b1", "/label", "x")])
            need(error["code"] == -32602, f"{error}")
        with step("V5. what a person has made is cleared only when asked about, each time"):
            client.decide = lambda message: REFUSE
            count = len(client.asked)
            for ops in ([op_clear("b1", "/label")], [{"op": "clearInstance", "instanceId": "b1"}], [{"op": "clearAll"}]):
                _, error = client.try_to("workbench_apply_overrides", sessionId=session, ops=ops)
                need(error["error"] == "CONSENT_DECLINED" and client.offered == [ONCE, REFUSE], f"{error} {client.offered}")
                need('"Mine" -> ' in client.asked[-1] and "Drafts that a person has made are cleared" in client.asked[-1],
                     client.asked[-1])
            need(len(client.asked) == count + 3 and page.held["b1", "/label"] == "Mine", f"{page.held}")
            done, _ = client.try_to("workbench_apply_overrides", sessionId=session, ops=[op_clear("b2", "/label")])
            need(done and len(client.asked) == count + 3, f"its own it may clear for the session: {_} {client.asked[count + 3:]}")
        with step("undo by anybody: a person takes back what the assistant did, and makes it again"):
            use(op_set("b2", "/label", "Kept"), sessionId=session)
            done, _ = user.try_to("workbench_undo")
            need(done["label"] == "Change a prop", f"{done}")
            until(lambda: ("b2", "/label") not in page.held, "taken back on the page")
            user.try_to("workbench_undo", redo=True)
            until(lambda: page.held.get(("b2", "/label")) == "Kept", "made again on the page")
            client.decide = lambda message: ONCE
            done, error = client.try_to("workbench_undo")
            until(lambda: ("b2", "/label") not in page.held, f"{done} {error}")
            need('Take back "Change a prop" of user (page)' in client.asked[-1], client.asked[-1])
        with step("lost drafts are cleared by a person, in one change"):
            page.reports = False
            use(op_set("b2", "/label", "Lost"), sessionId=session)
            page.adapter.say("runtime.overrideStatus", applied=[],
                             orphaned=[{"instanceId": "b2", "path": "/label", "reason": "instance_not_found"}])
            until(lambda: client.data("workspace/overrides")["orphaned"] == 1, "an orphan")
            done, error = user.try_to("workbench_clear_orphaned")
            need(done and done["applied"] == 1 and client.data("workspace/overrides")["orphaned"] == 0, f"{done} {error}")
            _, error = user.try_to("workbench_reset_overrides_file")
            need(error, "a file that is fine is not put aside")
            page.reports = True


def previews(home, shop, client, port):
    target = {"type": "app", "url": f"http://127.0.0.1:{port}/"}
    with step("V5. an assistant previews an address once a person agrees, and then again; its own preview it ends unasked"):
        client.decide = lambda message: REFUSE
        count = len(client.asked)
        _, error = client.try_to("workbench_start_preview", target={"type": "app", "url": "nothing"})
        need(error["code"] == "invalid_target" and len(client.asked) == count, f"{error}")
        _, error = client.try_to("workbench_start_preview", target=target)
        need(error["error"] == "CONSENT_DECLINED" and f"127.0.0.1:{port}" in client.asked[-1], f"{error}")
        client.decide = lambda message: client.offered[0]
        first, error = client.try_to("workbench_start_preview", target=target)
        need(first and first["session"]["state"] == "loading", f"{error}")
        count = len(client.asked)
        second, _ = client.try_to("workbench_start_preview", target={**target, "url": target["url"] + "index.html"})
        need(second and len(client.asked) == count, "the same origin is not asked about again")
        done, _ = client.try_to("workbench_stop_preview", sessionId=second["session"]["sessionId"])
        need(done and len(client.asked) == count, "its own")
        theirs = start(home, port)
        client.decide = lambda message: REFUSE
        _, error = client.try_to("workbench_stop_preview", sessionId=theirs["sessionId"])
        need(error["error"] == "CONSENT_DECLINED" and client.offered == [ONCE, REFUSE], f"{error} {client.offered}")
        as_person(home, "stop", theirs["sessionId"])
        as_person(home, "stop", first["session"]["sessionId"])


def launchers(home, client):
    """What would run is shown and agreed to, and that alone."""
    shop = copy_demo(home, "plain")
    module = os.path.join(shop, "launchers.module.json")

    def describe(command):
        with open(module, "w", encoding="utf-8") as file:
            json.dump({"schemaVersion": "v0", "id": "launchers", "launchers": [{
                "id": "dev", "displayName": "Dev", "supportedSessionTypes": ["app"], "command": command,
                "url": "http://127.0.0.1:{port}/", "inject": "gateway"}]}, file)

    describe(["false", "one"])
    with open(os.path.join(shop, "skaffa.config.json"), encoding="utf-8") as file:
        config = json.load(file)
    with open(os.path.join(shop, "skaffa.config.json"), "w", encoding="utf-8") as file:
        json.dump({**config, "modules": [*config.get("modules", []), "./launchers.module.json"]}, file)
    with step("V5, V6. a launcher: untrusted it is refused unasked; its command is shown, and another one is asked about again"):
        as_person(home, "open", shop, "--read")
        workspace = client.see("workspaces")["data"]["workspaces"][0]["id"]
        begin = lambda: client.try_to("workbench_start_preview", workspace=workspace, wait="none",
                                      target={"type": "app", "launcherId": "dev"})
        count = len(client.asked)
        client.decide = lambda message: client.offered[0]
        _, error = begin()
        need(error["code"] in ("untrusted_workspace", "unsupported_target") and len(client.asked) == count, f"{error}")
        as_person(home, "open", shop, "--trust", "--read")
        begin()
        need(len(client.asked) == count + 1 and 'command: ["false","one"]' in client.asked[-1], f"{client.asked[count:]}")
        begin()
        need(len(client.asked) == count + 1, "once")
        describe(["false", "two"])
        until(lambda: (begin(), len(client.asked) == count + 2)[1], "asked again")
        need('command: ["false","two"]' in client.asked[-1], client.asked[-1])
    as_person(home, "close", client.see("workspaces")["data"]["workspaces"][0]["id"])


def prompts(client, page, session):
    shown = lambda: [one["text"] for one in page.said if one["type"] == "host.prompt"]
    with step("15.3. what an assistant asks the person to click is shown on the page, as long as it waits"):
        number = client.send("tools/call", name="workbench_wait_for_selection",
                             arguments={"timeoutMs": 20000, "prompt": "Which <b>price</b>?", "sessionId": session})
        until(lambda: shown() == ["Which <b>price</b>?"], "the prompt")
        page.adapter.select("b1", "ui.button", props={})
        client.finish(number)
        until(lambda: shown() == ["Which <b>price</b>?", None], "taken back")
        number = client.send("tools/call", name="workbench_wait_for_selection",
                             arguments={"timeoutMs": 20000, "prompt": "Again?", "sessionId": session})
        until(lambda: shown()[-1] == "Again?", "the prompt")
        client.link.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
        until(lambda: shown()[-1] is None, "taken back when nobody waits")


def gone(home):
    """No page of a person is connected any more: whoever asks now is not kept waiting for it."""
    until(lambda: not any(one.get("person") for one in json.loads(home.tenon("read", "tenon://clients").stdout)["clients"]),
          "no page")


def approve(home, request):
    """`tenon approve ID`, read and answered on a terminal; what it showed."""
    done = person.do("terminal", words=[daemon.TENON, "approve", request], env=home.env, answers=[["Approve", "y\n"]], timeout=30)
    need(done["code"] == 0, f"{done}")
    return done["out"]


def unheard(home, shop, page, session):
    """Clients that cannot ask, and approvals from a terminal."""
    with assistant(home, shop, elicits=False) as client:
        use = lambda *ops: client.try_to("workbench_apply_overrides", sessionId=session, ops=list(ops))
        with step("V8. nobody can be asked: consent_unavailable, and nothing is done until a person runs tenon approve"):
            _, error = use(op_set("b1", "/label", "Told"))
            schemas = [one["outputSchema"] for one in client.ask("tools/list")["result"]["tools"]]
            need(all(any(set(branch["required"]) <= set(error) and branch["properties"]["error"] == {"type": "string"}
                         for branch in schema["anyOf"] if "error" in branch["required"]) for schema in schemas),
                 f"what the core answers fits each tool's schema, which clients check: {schemas}")
            need(error["error"] == "CONSENT_UNAVAILABLE" and error["retryable"] and page.held["b1", "/label"] != "Told", f"{error}")
            approve(home, error["approvalId"])
            done, error = use(op_set("b1", "/label", "Told"))
            need(done and page.held["b1", "/label"] == "Told", f"{error}")
        with step("an approval counts for what was shown: not for other ops, another session, or drafts that have changed since"):
            _, error = use(op_set("b1", "/label", "First"))
            approve(home, error["approvalId"])
            other = start(home, home.demo_port)
            other_page = Page(other)
            known(client, other)
            for ops, more in (([op_set("b1", "/label", "Second")], {}),
                              ([op_set("b1", "/label", "First"), op_set("b2", "/label", "x")], {}),
                              ([op_set("b1", "/label", "First")], {"sessionId": other["sessionId"]})):
                _, refused = client.try_to("workbench_apply_overrides", **{"sessionId": session, "ops": ops, **more})
                need(refused and refused["error"] == "CONSENT_UNAVAILABLE" and refused["approvalId"] != error["approvalId"],
                     f"{refused}")
            with a_person(home, shop) as again:
                again.try_to("workbench_apply_overrides", group="app", ops=[op_set("b1", "/label", "The person's own")])
            gone(home)
            need(use(op_set("b1", "/label", "First"))[1]["error"] == "CONSENT_UNAVAILABLE", "asked again")
            need(page.held["b1", "/label"] == "The person's own", f"{page.held}")
            other_page.adapter.end()
            as_person(home, "stop", other["sessionId"])


def bound(home, shop, page, session):
    """What was agreed to is what happens, whatever goes on between the question and the answer."""
    with assistant(home, shop) as client, assistant(home, shop) as second, a_person(home, shop) as user:
        use = lambda who, *ops: who.try_to("workbench_apply_overrides", sessionId=session, ops=list(ops))
        mine = lambda value: user.try_to("workbench_apply_overrides", group="app", ops=[op_set("b1", "/label", value)])

        def change_meanwhile(message):
            if len(client.asked) == 1:
                mine("Meanwhile")
            return ONCE

        with step("a draft that changes between the question and the answer is asked about again, as it is now"):
            mine("Before")
            client.decide = change_meanwhile
            done, error = use(client, op_set("b1", "/label", "After"))
            need(done and len(client.asked) == 2, f"{error} {client.asked}")
            need('"Before" -> "After"' in client.asked[0] and '"Meanwhile" -> "After"' in client.asked[1], f"{client.asked}")
        with step("a clear that would come to take a person's draft is asked about as that"):
            use(client, op_set("b2", "/label", "Assistant's"))
            client.asked.clear()

            def take_over(message):
                if len(client.asked) == 1:
                    user.try_to("workbench_apply_overrides", group="app", ops=[op_set("b2", "/tone", "quiet")])
                    return ONCE
                return REFUSE

            client.decide = take_over
            _, error = use(client, {"op": "clearInstance", "instanceId": "b2"})
            need(error["error"] == "CONSENT_DECLINED" and len(client.asked) == 2, f"{error} {client.asked}")
            need("Drafts that a person has made" not in client.asked[0] and "Drafts that a person has made" in client.asked[1],
                 f"{client.asked}")
            need(page.held["b2", "/tone"] == "quiet" and page.held["b2", "/label"] == "Assistant's", f"{page.held}")
        with step("two asks at once: each is answered by itself, and the later one sees what the first has done"):
            mine("Zero")
            client.asked.clear()
            client.decide = lambda message: ONCE
            calls = [client.send("tools/call", name="workbench_apply_overrides", arguments={
                "sessionId": session, "ops": [op_set("b1", "/label", value)]}) for value in ("One", "Two")]
            answers = [client.finish(number)["result"]["structuredContent"] for number in calls]
            need(all(one["ok"] for one in answers), f"{answers}")
            need(len(client.asked) == 3, f"the second was asked about again: {client.asked}")
            last = json.loads(json.dumps(page.held["b1", "/label"]))
            need(f'"{"One" if last == "Two" else "Two"}" -> "{last}"' in client.asked[-1], f"{last} {client.asked}")
        with step("what one assistant may for the session, another with the same token may not"):
            client.decide = lambda message: LASTING
            use(client, op_set("b1", "/label", "Client's"))
            count = len(client.asked)
            use(client, op_set("b1", "/label", "Client's again"))
            second.decide = lambda message: REFUSE
            _, error = use(second, op_set("b1", "/label", "Second's"))
            need(len(client.asked) == count and len(second.asked) == 1 and error["error"] == "CONSENT_DECLINED", f"{error}")


def another_epoch(home, shop, port):
    with assistant(home, shop) as client:
        def ready():
            started = start(home, port)
            page = Page(started)
            known(client, started)
            return started, page

        target = {"type": "app", "url": f"http://127.0.0.1:{port}/"}
        with step("a folder that is opened anew is asked about anew"):
            started, page = ready()
            client.decide = lambda message: client.offered[-2]
            client.try_to("workbench_select", sessionId=started["sessionId"], instanceId="b1")
            client.try_to("workbench_start_preview", target=target)
            count = len(client.asked)
            client.try_to("workbench_select", sessionId=started["sessionId"], instanceId="b2")
            client.try_to("workbench_start_preview", target=target)
            need(len(client.asked) == count, f"{client.asked}")
            as_person(home, "close", client.see("workspaces")["data"]["workspaces"][0]["id"])
            as_person(home, "open", shop, "--read")
            started, page = ready()
            client.decide = lambda message: REFUSE
            for tool, more in (("select", {"sessionId": started["sessionId"], "instanceId": "b1"}),
                               ("start_preview", {"target": target})):
                _, error = client.try_to("workbench_" + tool, **more)
                need(error["error"] == "CONSENT_DECLINED", f"{error}")
            need(len(client.asked) == count + 2, f"{client.asked}")


def picture(client, session, **arguments):
    """(the facts, the PNG's width and height), or (the error, None)."""
    result = client.ask("tools/call", name="workbench_capture", arguments={"sessionId": session, **arguments})["result"]
    if result.get("isError"):
        return result["structuredContent"]["error"], None
    image = base64.b64decode(next(one["data"] for one in result["content"] if one["type"] == "image"))
    need(image[:8] == b"\x89PNG\r\n\x1a\n" and image[12:16] == b"IHDR", f"{image[:20]}")
    facts = json.loads(next(one["text"] for one in result["content"] if one["type"] == "text"))
    return facts, (int.from_bytes(image[16:20], "big"), int.from_bytes(image[20:24], "big"))


def scratches():
    return [one for one in os.listdir("/tmp") if one.startswith("tenon-capture-")]


def program(home, name, text):
    path = home.path(name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n" + text)
    os.chmod(path, 0o755)
    return path


def no_pictures(home_of, port):
    """Browsers that are none. Nothing of them is left."""
    with home_of() as home:
        broken = {"ends": program(home, "ends", "exit 3\n"),
                  "babbles": program(home, "babbles", "head -c 20000000 /dev/zero | tr '\\0' x >&4; sleep 60\n"),
                  "lies": program(home, "lies", "printf '{\"id\":1,\"error\":{}}\\0' >&4; sleep 60\n"), "missing": "/nonexistent"}
        for name, path in broken.items():
            home.env["TENON_WORKBENCH_BROWSER"] = path
            home.tenon("up")
            shop = copy_demo(home, "plain") if not os.path.isdir(home.path("work", "plain")) else home.path("work", "plain")
            as_person(home, "open", shop, "--read")
            started = start(home, port)
            with assistant(home, shop) as client, step(f"a browser that {name}: browser_unavailable, and nothing is left"):
                client.decide = lambda message: ONCE if ONCE in client.offered else client.offered[0]
                error, _ = picture(client, started["sessionId"])
                need(error["code"] == "browser_unavailable", f"{error}")
                until(lambda: not scratches(), "its folder is gone")
            home.tenon("down")


def pictures(home_of, port):
    browser = shutil.which("chromium")
    if not browser:
        print("workbench-acting: no Chromium here: pictures are not drawn")
        return
    with home_of(TENON_WORKBENCH_BROWSER=browser) as home:
        home.tenon("up")
        shop = copy_demo(home, "plain")
        as_person(home, "open", shop, "--read")
        started = start(home, port)
        session = started["sessionId"]
        with assistant(home, shop) as client, step("workbench_capture: the page, and one instance with its draft, by a browser"):
            client.decide = lambda message: client.offered[0]
            facts, size = picture(client, session)
            need(size == (1280, 800) and facts["via"] == "browser" and facts["viewport"] == {"width": 1280, "height": 800},
                 f"{facts} {size}")
            need(len(client.asked) == 1 and f"localhost:{port}" in client.asked[0], f"{client.asked}")
            need(facts["route"]["pathname"] == "/", f"{facts}")
            listed_now = client.see(f"preview/sessions/{session}")["data"]
            need(listed_now["state"] in ("reloading", "ready"), f"{listed_now}")
            error, _ = picture(client, session, instanceId="nobody")
            need(error["code"] == "unknown_instance" and len(client.asked) == 1, f"{error} {client.asked}")
            until(lambda: not scratches(), "its folder is gone")
        as_person(home, "stop", session)
        killed_while_it_draws(home, shop, port)


def killed_while_it_draws(home, shop, port):
    with step("a daemon that is killed while it draws leaves no browser, and its folder goes with the next picture"):
        started = start(home, port)
        with assistant(home, shop) as client:
            client.decide = lambda message: client.offered[0]
            picture(client, started["sessionId"])  # what is agreed to lasts
            until(lambda: not scratches(), "the first one's folder")
            client.send("tools/call", name="workbench_capture", arguments={"sessionId": started["sessionId"]})
            until(scratches, "it draws")
            os.kill(home.discovery()["pid"], signal.SIGKILL)
        until(lambda: not [one for one in processes() if "tenon-capture-" in one], "no browser is left")
        need(len(scratches()) == 1, f"{scratches()}")
        home.tenon("up")
        as_person(home, "open", shop, "--read")
        started = start(home, port)
        with assistant(home, shop) as client:
            client.decide = lambda message: client.offered[0]
            facts, _ = picture(client, started["sessionId"])
            need(facts["via"] == "browser", f"{facts}")
            until(lambda: not scratches(), "both folders are gone")


def processes():
    found = []
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            with open(f"/proc/{name}/cmdline", encoding="utf-8", errors="replace") as file:
                found.append(file.read())
    return found


def settings(home_of, port):
    """`off` lists what reads; `allow` asks nobody; a rule of the policy holds all the same."""
    for actuation in ("off", "allow"):
        with home_of(TENON_WORKBENCH_ACTUATION=actuation) as home:
            shop = copy_demo(home)
            os.makedirs(home.path("config", "tenon"), exist_ok=True)
            with open(os.path.join(shop, "skaffa.config.json"), encoding="utf-8") as file:
                config = json.load(file)
            with open(os.path.join(shop, "skaffa.config.json"), "w", encoding="utf-8") as file:
                json.dump({**config, "workbench": {"actuation": "allow"}, "actuation": "allow"}, file)
            home.tenon("up")
            as_person(home, "open", shop, "--read")
            started = start(home, port)
            page = Page(started)
            with assistant(home, shop, elicits=False) as client, a_person(home, shop) as user:
                need(client.data("server/info")["features"]["actuation"] == actuation, "said")
                until(lambda: client.use("workbench_list_instances")["data"]["instances"], "instances")
                arguments = {"sessionId": started["sessionId"], "ops": [op_set("b1", "/label", "Buy")]}
                if actuation == "off":
                    with step("V1, M5. off: exactly the six that read, whatever the folder says; persons act all the same"):
                        need(listed(client) == SIX, f"{listed(client)}")
                        _, error = client.try_to("workbench_apply_overrides", **arguments)
                        need(error["code"] == -32602, f"{error}")
                        done, _ = user.try_to("workbench_apply_overrides", **arguments)
                        need(done and page.held == {("b1", "/label"): "Buy"}, f"{done}")
                    continue
                with step("V1. allow: nobody is asked; what the policy denies is denied"):
                    user.link.close()
                    gone(home)
                    done, error = client.try_to("workbench_apply_overrides", **arguments)
                    need(done and done["statuses"] == "reported", f"{error}")
                    with open(home.path("config", "tenon", "policy.json"), "w", encoding="utf-8") as file:
                        json.dump({"rules": [{"app": "workbench", "act": "tweak", "action": "deny"}]}, file)
                    home.tenon("reload", code=None)
                    os.kill(home.discovery()["pid"], 1)
                    arguments["ops"] = [op_set("b1", "/label", "Take")]
                    until(lambda: (client.try_to("workbench_apply_overrides", **{**arguments, "ops": [
                        op_set("b1", "/label", f"Take {time.monotonic()}")]})[1] or {}).get("error") == "DENIED_BY_POLICY", "denied")


def main():
    port_of_ours = int(os.environ.get("TENON_HTTP_PORT", "18512"))
    with served(os.path.join(ROOT, "demo/plain")) as port:
        with daemon.Home(port=port_of_ours) as home:
            home.demo_port = port
            shop = copy_demo(home)
            home.tenon("up")
            as_person(home, "open", shop, "--read")
            tools(home, shop)
            started = start(home, port)
            session, page = started["sessionId"], Page(started)
            with assistant(home, shop) as client:
                known(client, started)
                applies(client, page, session)
                moves(client, page, session)
                prompts(client, page, session)
                previews(home, shop, client, port)
                launchers(home, client)
                persons(home, shop, client, page, session)
            gone(home)
            unheard(home, shop, page, session)
            bound(home, shop, page, session)
            another_epoch(home, shop, port)
        home_of = lambda **env: daemon.Home(port=port_of_ours, **env)
        settings(home_of, port)
        no_pictures(home_of, port)
        pictures(home_of, port)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
