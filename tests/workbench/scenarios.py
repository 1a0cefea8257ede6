#!/usr/bin/env python3
"""scenarios.py - scenarios 6 to 9 and 11 of workbench-demo.md word for word: drafts and their file, what outlives the daemon, notices
in both eras, and who is refused. The test plays the adapter."""
import contextlib
import http.client
import json
import os
import sys
import time

for folder in ("../lib", "../terminal"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import check  # noqa: E402
import daemon  # noqa: E402
import links  # noqa: E402
from acting import Page, assistant, op_clear, op_set  # noqa: E402
from check import need  # noqa: E402
from core import ROOT, Follower, as_person, copy_demo  # noqa: E402
from preview import Adapter, served, start, until  # noqa: E402

PORT = int(os.environ.get("TENON_SCENARIOS_PORT", "17950"))
CLOCK = "2026-01-31T08:44:40.000Z"
FILE = ".skaffa/overrides.v0.json"
CONTENT = """{
  "schemaVersion": "v0",
  "updatedAt": "2026-01-31T08:44:40.000Z",
  "app": {
    "overrides": [
      {
        "instanceId": "b1",
        "path": "/label",
        "value": "Brötchen \\"warm\\"",
        "componentTypeId": "ui.button"
      },
      {
        "instanceId": "b2",
        "path": "/disabled",
        "value": false,
        "componentTypeId": "ui.button"
      }
    ]
  }
}
"""


def step(name):
    return check.Step("workbench-scenarios", name)


def content(shop):
    with open(os.path.join(shop, FILE), encoding="utf-8") as file:
        return file.read()


class Preview:
    """A preview of the folder with a page that is ready, and an assistant who may do everything."""

    def __init__(self, home, client, port):
        self.client, self.started = client, start(home, port)
        self.session, self.page = self.started["sessionId"], Page(self.started)
        until(lambda: client.use("workbench_list_instances", sessionId=self.session)["data"]["instances"], "instances")

    def apply(self, *ops):
        return self.client.try_to("workbench_apply_overrides", sessionId=self.session, ops=list(ops))

    def statuses(self):
        return {one["instanceId"]: one["status"] for one in self.client.data("workspace/overrides")["overrides"]}


def batches(shop, preview):
    with step("6. two valid sets and one invalid: nothing changes, each op that fails is named, and there is no file (O6)"):
        _, error = preview.apply(op_set("b1", "/label", "A"), op_set("b2", "/label", "B"), op_set("b1", "/nope", 1),
                                 op_set("b2", "/tone", "loud"))
        need([(one["index"], one["code"]) for one in error["details"]["ops"]] == [(2, "unknown_prop"), (3, "not_in_options")], f"{error}")
        state = preview.client.data("workspace/overrides")
        need(state["revision"] == 0 and state["overrides"] == [] and not preview.page.batches, f"{state}")
        need(state["file"] == {"path": FILE, "exists": False, "content": None}, f"{state['file']}")
        need(not os.path.exists(os.path.join(shop, ".skaffa")), "no folder was made")
    with step("7. a valid batch: the file to the byte, one message to the page, pending and then applied (O12, O16)"):
        preview.page.reports = False
        done, error = preview.apply(op_set("b2", "/disabled", False), op_set("b1", "/label", "Brötchen \"warm\""))
        need(done and (done["applied"], done["revision"], done["statuses"]) == (2, 1, "pending"), f"{done} {error}")
        need(content(shop) == CONTENT, content(shop))
        need([len(ops) for ops in preview.page.batches] == [2], f"{preview.page.batches}")
        need(preview.statuses() == {"b1": "pending", "b2": "pending"}, f"{preview.statuses()}")
        preview.page.adapter.say("runtime.overrideStatus", orphaned=[], applied=[
            {"instanceId": "b1", "path": "/label"}, {"instanceId": "b2", "path": "/disabled"}])
        until(lambda: preview.statuses() == {"b1": "applied", "b2": "applied"}, "applied")
        state = preview.client.data("workspace/overrides")
        need(state["revision"] == 1 and state["file"]["content"] == json.loads(CONTENT), f"{state}")
        need(preview.apply(op_set("b2", "/disabled", False))[0]["unchanged"] == 1 and len(preview.page.batches) == 1, "no effect")


def after_a_restart(home, shop, client, port):
    with step("8. after a restart drafts are pending, and the handshake sends them; an orphan stays through a further edit (O14, O17)"):
        need(sorted(one["status"] for one in client.data("workspace/overrides")["overrides"]) == ["pending"] * 2, "pending")
        preview = Preview(home, client, port)
        need(preview.page.held == {("b1", "/label"): "Brötchen \"warm\"", ("b2", "/disabled"): False}, f"{preview.page.held}")
        preview.page.reports = False
        preview.page.adapter.say("runtime.overrideStatus", applied=[{"instanceId": "b2", "path": "/disabled"}],
                                 orphaned=[{"instanceId": "b1", "path": "/label", "reason": "instance_not_found"}])
        until(lambda: preview.statuses() == {"b1": "orphaned", "b2": "applied"}, "an orphan")
        row = next(one for one in client.data("workspace/overrides")["overrides"] if one["instanceId"] == "b1")
        need(row["reason"] == "instance_not_found" and client.data("workspace/overrides")["orphaned"] == 1, f"{row}")
        done, error = preview.apply(op_set("b2", "/tone", "quiet"))
        need(done, f"{error}")
        kept = [(one["instanceId"], one["path"], one["value"]) for one in json.loads(content(shop))["app"]["overrides"]]
        need(kept == [("b1", "/label", "Brötchen \"warm\""), ("b2", "/disabled", False), ("b2", "/tone", "quiet")], f"{kept}")
        preview.page.reports = True
        return preview


class Listener:
    """A client of the stateless revision: what it listens to comes on the stream of that very request."""

    META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "listener", "version": "1"}}

    def __init__(self, home, uris):
        self.link = links.Http(home.discovery()["url"].rstrip("/") + "/mcp/workbench", home.tenon("token").stdout.strip())
        self.link.send({"jsonrpc": "2.0", "id": "listen", "method": "subscriptions/listen", "params": {
            "_meta": self.META, "notifications": {"resourceSubscriptions": ["skaffa://" + uri for uri in uris]}}},
            {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen"})
        said = self.link.receive(20)
        need(said["method"] == "notifications/subscriptions/acknowledged", f"{said}")

    def heard(self, seconds, until_=None):
        heard, end = [], time.monotonic() + seconds
        while time.monotonic() < end:
            with contextlib.suppress(TimeoutError):
                note = self.link.receive(0.1)
                if note.get("method") == "notifications/resources/updated":
                    heard.append(note["params"]["uri"].removeprefix("skaffa://"))
            if until_ and until_ in heard:
                break
        return heard


def both_eras(home, shop, client, preview):
    uris = ["preview/selection", "workspace/overrides", "workspace/graph"]
    stateless = Listener(home, uris)
    earlier = Follower(client, uris)
    routes = os.path.join(shop, "src/routes.tsx")

    def hear(uri):
        for who in (stateless, earlier):
            need(uri in who.heard(20, uri), f"{type(who).__name__}: {uri}")

    def quiet():
        for who in (stateless, earlier):
            heard = who.heard(1)
            need(heard == [], f"{type(who).__name__} heard {heard}")

    stateless.heard(0.5)
    earlier.heard(0.5)
    with step("9. a selection, a draft and a route more are told in both eras"):
        preview.page.adapter.select("b1", "ui.button", props={"label": "Order now"})
        hear("preview/selection")
        with assistant(home, shop) as other:
            done, error = other.try_to("workbench_apply_overrides", sessionId=preview.session, ops=[op_set("b2", "/label", "Told")])
            need(done, f"{error}")
        hear("workspace/overrides")
        with open(routes, encoding="utf-8") as file:
            text = file.read()
        with open(routes, "w", encoding="utf-8") as file:
            file.write(text.replace("{ path: 'about'", "{ path: 'imprint', element: <About /> }, { path: 'about'", 1))
        hear("workspace/graph")
        stateless.heard(1)
        earlier.heard(1)
    with step("9. what changes nothing is told to nobody: a draft as it is, a comment in a source, the same file again (N3, O8)"):
        with assistant(home, shop) as other:
            for ops in ([op_set("b2", "/label", "Told")], [op_clear("b2", "/size")]):
                done, _ = other.try_to("workbench_apply_overrides", sessionId=preview.session, ops=ops)
                need(done["applied"] == 0, f"{done}")
        with open(routes, "a", encoding="utf-8") as file:
            file.write("// nothing\n")
        with open(os.path.join(shop, FILE), encoding="utf-8") as file:
            same = file.read()
        with open(os.path.join(shop, FILE), "w", encoding="utf-8") as file:
            file.write(same)
        quiet()
    with step("N3, N4. a draft of another instance is not told as the selection, one of what is selected is"):
        with assistant(home, shop) as other:
            change = lambda *ops: other.try_to("workbench_apply_overrides", sessionId=preview.session, ops=list(ops))
            change(op_set("b1", "/label", "Selected"))
            need("preview/selection" in earlier.heard(20, "preview/selection") + earlier.heard(1), "its own draft")
            stateless.heard(1)
            change(op_set("b2", "/label", "Another"))
            for who in (stateless, earlier):
                heard = set(who.heard(20, "workspace/overrides") + who.heard(1))
                need(heard == {"workspace/overrides"}, f"{type(who).__name__} heard {heard}")
    return stateless


def two_pages(home, client, port):
    with step("S7. the first page's instances count; when it goes, the next one is asked for its own, and counts (A8)"):
        preview = Preview(home, client, port)
        second = Adapter(preview.page.adapter.block)
        second.ready()
        report = lambda: second.say("runtime.instances", full=True, remove=[], upsert=[{"instanceId": "c9", "componentTypeId": "ui.card"}])
        listed = lambda: {one["instanceId"] for one in client.use("workbench_list_instances", sessionId=preview.session)["data"]["instances"]}
        report()
        need(listed() == {"b1", "b2"}, f"{listed()}")
        preview.page.adapter.end()
        second.hear("host.init")
        report()
        until(lambda: listed() == {"c9"}, "the second page's")
        need(client.see(f"preview/sessions/{preview.session}")["data"]["state"] == "ready", "it goes on")
        as_person(home, "stop", preview.session)


def security(home, preview, stream):
    """What comes to the workbench's own endpoint, and with which status (section 4)."""
    found, token = home.discovery(), home.tenon("token").stdout.strip()
    address = found["url"].removeprefix("http://").rstrip("/")
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": Listener.META}})
    good = {"Authorization": "Bearer " + token, "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"}

    def send(method="POST", path="/mcp/workbench", text=body, **headers):
        sent = {**good, **{name.replace("_", "-"): value for name, value in headers.items()}}
        with contextlib.closing(http.client.HTTPConnection(address, timeout=20)) as link:
            link.request(method, path, text, {name: value for name, value in sent.items() if value is not None})
            answer = link.getresponse()
            answer.read()
            need(not any(name.lower().startswith("access-control") for name in answer.headers), f"{answer.headers}")
            return answer

    def expect(status, **what):
        answer = send(**what)
        need(answer.status == status, f"{what}: {answer.status}, not {status}")
        return answer

    with step("11. the table: token, Host, Origin, Sec-Fetch-Site, content type, method, size (T6, T13 to T16, T19)"):
        answer = expect(200, Origin=None)
        for name, value in (("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
                            ("Cross-Origin-Resource-Policy", "same-origin")):
            need(answer.headers[name] == value, f"{name}: {answer.headers[name]}")
        need(answer.headers["Set-Cookie"] is None, "no cookie (T17)")
        for wrong in (None, "Bearer", "Bearer ", "Bearer " + token[:-1] + "x", "Basic " + token, token):
            answer = expect(401, Authorization=wrong)
            need(answer.headers["WWW-Authenticate"].startswith("Bearer realm="), f"{answer.headers}")
        expect(401, path="/mcp/workbench?token=" + token, Authorization=None)
        expect(401, Authorization=None, Cookie="token=" + token)
        for host in ("evil.example", "evil.example:" + address.split(":")[1], "127.0.0.1.evil.example"):
            expect(403, Host=host)
        for origin in ("http://evil.example", "null", preview.started["url"].rstrip("/"), "http://" + address + ".evil.example"):
            expect(403, Origin=origin)
        expect(200, Origin="http://" + address)
        for site in ("cross-site", "same-site"):
            expect(403, Sec_Fetch_Site=site)
        expect(415, Content_Type="text/plain")
        expect(405, method="OPTIONS")  # the shared endpoint's word for it (MCP-105)
        expect(413, text='"' + "x" * (17 << 20) + '"')  # the shared limit
    with step("11. in the order of T16: what is wrong first is what is said"):
        expect(403, Host="evil.example", Authorization=None, Content_Type="text/plain")
        expect(403, Origin="null", Authorization=None)
        expect(401, Authorization=None, Content_Type="text/plain")
        expect(415, Content_Type="text/plain", text="x" * (17 << 20))
    with step("11. a token after its rotation is none, and its streams end within a second (T8)"):
        home.tenon("token", "--rotate")
        began = time.monotonic()
        with contextlib.suppress(links.Lost):
            while "ended" not in stream.link.receive(5):
                pass
        check.need_soon(began, 1.5, "the stream of the old token")
        expect(401)
        expect(200, Authorization="Bearer " + home.tenon("token").stdout.strip())


def main():
    with served(os.path.join(ROOT, "demo/plain")) as port, \
            daemon.Home(port=PORT, TENON_WORKBENCH_ACTUATION="allow", TENON_WORKBENCH_TEST_CLOCK=CLOCK) as home:
        shop = copy_demo(home)
        home.tenon("up")
        as_person(home, "open", shop, "--read")
        with assistant(home, shop) as client:
            batches(shop, Preview(home, client, port))
        home.tenon("down")
        home.tenon("up")
        as_person(home, "open", shop, "--read")
        with assistant(home, shop) as client:
            preview = after_a_restart(home, shop, client, port)
            stream = both_eras(home, shop, client, preview)
            two_pages(home, client, port)
            security(home, preview, stream)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
