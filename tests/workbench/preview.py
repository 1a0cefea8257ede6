#!/usr/bin/env python3
"""preview.py - previews without Node and without a browser (workbench-demo.md section 7: 3, 4, 5, 7, 8 and 30): the test plays
the adapter over WebSocket, through the real gateway; and what a hostile page may try."""
import contextlib
import http.client
import json
import os
import queue
import re
import socket
import subprocess
import sys
import threading
import time

for folder in ("../lib", "../terminal"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import check  # noqa: E402
import daemon  # noqa: E402
import links  # noqa: E402
from check import need  # noqa: E402
from core import ROOT, Follower, Seer, as_person, copy_demo  # noqa: E402

NULL_SELECTION = {"activeSessionId": None, "current": None, "others": []}


def step(name):
    return check.Step("workbench-preview", name)


def until(true, what, seconds=15):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = true()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"not within {seconds} s: {what}")


@contextlib.contextmanager
def served(folder):
    """python's http.server on a port of its own."""
    server = subprocess.Popen([sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")
    try:
        yield int(re.search(r"port (\d+)", server.stdout.readline()).group(1))
    finally:
        server.kill()
        server.wait()
        server.stdout.close()


def fetch(origin, path="/", method="GET", **headers):
    connection = http.client.HTTPConnection(origin.removeprefix("http://"), timeout=60)
    connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


class Adapter:
    """What a page's adapter says, by hand. As a browser does, it answers pings whatever its page is at."""

    def __init__(self, block, origin=None, protocol="skaffa-rt.v0"):
        self.block, self.said = block, []
        self.frames, self.sending = queue.Queue(), threading.Lock()
        where = block["channelUrl"].removeprefix("ws://")
        netloc, _, path = where.partition("/")
        self.fd = links.dial(links.urllib.parse.urlsplit("http://" + netloc), 20)
        more = f"Origin: {origin}\r\n" if origin else ""
        self.fd.sendall((f"GET /{path} HTTP/1.1\r\nHost: {netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                         f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                         f"Sec-WebSocket-Protocol: {protocol}\r\n{more}\r\n").encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            piece = self.fd.recv(65536)
            need(piece, "closed during the handshake")
            self.rest += piece
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        self.status = int(head.split()[1])
        if self.status == 101:
            threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        with contextlib.suppress(OSError):
            while got := self.received():
                if got[0] == 9:
                    self.send(links.masked_frame(10, got[1]))
                else:
                    self.frames.put(got)
        self.frames.put(None)

    def received(self):
        """(kind, payload), or None at the end."""
        while True:
            if len(self.rest) >= 2:
                size, at = self.rest[1], 2
                if size == 126 and len(self.rest) >= 4:
                    size, at = int.from_bytes(self.rest[2:4], "big"), 4
                elif size == 127 and len(self.rest) >= 10:
                    size, at = int.from_bytes(self.rest[2:10], "big"), 10
                elif size >= 126:
                    size = 1 << 60
                if len(self.rest) >= at + size:
                    kind, payload = self.rest[0] & 15, self.rest[at:at + size]
                    self.rest = self.rest[at + size:]
                    return kind, payload
            try:
                piece = self.fd.recv(65536)
            except TimeoutError:  # it bounds what is sent; a page may hear nothing for long
                continue
            if not piece:
                return None
            self.rest += piece

    def frame(self, seconds=20):
        """The next (kind, payload), or None at the end."""
        try:
            got = self.frames.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError(f"nothing was heard for {seconds} s") from None
        if not got:
            self.frames.put(None)  # for whoever asks again
        return got

    def hear(self, kind):
        """The next message of that type."""
        while True:
            got = self.frame()
            need(got and got[0] != 8, f"closed while waiting for {kind}: {got}")
            if got[0] == 1:
                message = json.loads(got[1])
                self.said.append(message["type"])
                if message["type"] == kind:
                    return message

    def closed(self):
        """The code that the host closes with; None: without one."""
        while True:
            got = self.frame()
            if not got:
                return None
            if got[0] == 8:
                return int.from_bytes(got[1][:2], "big")

    def send(self, frame):
        with self.sending:
            self.fd.sendall(frame)

    def raw(self, text):
        self.send(links.masked_frame(1, text.encode()))

    def say(self, kind, **fields):
        self.raw(json.dumps({"type": kind, **fields}))

    def ready(self, key=None):
        self.say("runtime.ready", key=key or self.block["key"], adapterId="fake", adapterVersion="1",
                 capabilities={"selection": True, "overrides": True, "instances": True},
                 page={"pageId": "p", "url": self.block["channelUrl"].replace("ws:", "http:").replace("/__skaffa/rt", "/"),
                       "title": "T"})
        return self.hear("host.init")

    def select(self, instance, of, **more):
        self.say("runtime.selectionChanged", sessionId=self.block["sessionId"], causedBy="click",
                 selected={"instanceId": instance, "componentTypeId": of, **more})

    def end(self):
        """As when a tab is closed."""
        with contextlib.suppress(OSError):  # its daemon may be gone
            self.fd.shutdown(socket.SHUT_RDWR)


def block_of(page):
    return json.loads(re.search(rb'id="skaffa-rt-config">(.*?)</script>', page).group(1))


def start(home, port, path="/"):
    done = json.loads(as_person(home, "preview", f"http://localhost:{port}{path}", "--json"))
    return done["session"]


def session_of(client, started):
    return client.see(f"preview/sessions/{started['sessionId']}")["data"]


def attached(home, client, port):
    with step("3. an attached session: the page with its block, the handshake, loading to ready"):
        started = start(home, port)
        need(started["state"] == "loading" and started["url"].startswith("http://127.0.0.1:"), f"{started}")
        need(started["target"] == {"type": "app", "url": f"http://localhost:{port}/"}, f"{started}")
        need(client.see("preview/selection")["status"] == "session_not_ready", "not ready yet")
        answer, page = fetch(started["url"].rstrip("/"))
        need(answer.status == 200 and page.count(b"skaffa-rt-config") == 1, f"{answer.status} {page[:300]}")
        need(re.search(rb'<head>\s*<script type="application/json" id="skaffa-rt-config">', page), f"{page[:300]}")
        need(answer.headers["Cache-Control"] == "no-store" and not answer.headers["Last-Modified"], f"{answer.headers}")
        block = block_of(page)
        need(block["sessionId"] == started["sessionId"] and block["protocol"] == "v0", f"{block}")
        adapter = Adapter(block, origin=started["url"].rstrip("/"))
        init = adapter.ready()
        need(init["initialOverrides"] == [] and init["propDefaults"] == {"shop.price": {"currency": "USD"}}, f"{init}")
        need("ui.button" in [one["typeId"] for one in init["types"]], "types for adapters without build access")
        info = until(lambda: session_of(client, started)["state"] == "ready" and session_of(client, started), "ready")
        need(info["active"] and info["adapter"]["id"] == "fake" and info["pages"] == 1, f"{info}")
        need(info["route"]["pathname"] == "/", f"{info}")
    return started, adapter


def selections(client, started, adapter):
    with step("4. a selected ui.button: matched, linked, a row for each prop"):
        adapter.say("runtime.instances", full=True, remove=[], upsert=[
            {"instanceId": "card", "componentTypeId": "ui.card", "displayName": "Card"},
            {"instanceId": "b1", "componentTypeId": "ui.button", "parentInstanceId": "card"}])
        adapter.select("b1", "ui.button", props={"label": "Order now", "tone": "primary"},
                       propsOmitted={"onClick": "function"}, source={"filePath": "src/pages/Home.tsx", "line": 3})
        until(lambda: client.see("preview/selection")["data"]["current"], "a selection")
        envelope = client.see("preview/selection")
        now = envelope["data"]["current"]
        need(envelope["status"] == "ok" and "/current/selected" in envelope["untrusted"], f"{envelope['untrusted']}")
        need(now["registryMatch"]["status"] == "matched" and "routeId:home" in now["graph"]["usedByRoutes"], f"{now}")
        rows = {row["name"]: row for row in now["props"]}
        need(set(rows) == {"label", "tone", "size", "disabled", "onClick"}, f"{rows}")
        need(rows["onClick"]["exposure"] == "inspectOnly" and rows["label"]["value"] == "Order now", f"{rows}")
        need(now["ancestors"] == [{"instanceId": "card", "componentTypeId": "ui.card", "displayName": "Card"}], f"{now}")
        need(client.use("workbench_get_selection")["data"] == envelope["data"], "the tool says the same")
        listed = client.use("workbench_list_instances", typeId="ui.button")["data"]["instances"]
        need([one["instanceId"] for one in listed] == ["b1"], f"{listed}")
        graph = client.see(f"preview/sessions/{started['sessionId']}/graph")["data"]["graph"]
        need(len(graph["nodes"]) == 2 and len(graph["edges"]) == 1, f"{graph}")
    with step("5. a disabled type and an unknown one are selected without error"):
        for of, status in (("ui.swatch", "disabled"), ("x.unknown", "unknown")):
            adapter.select("s-" + status, of, props={})
            until(lambda: client.see("preview/selection")["data"]["current"]["registryMatch"]["status"] == status, status)


def waiting(client, adapter):
    with step("whoever waits for a selection gets the next one, or the current one in time"):
        number = client.send("tools/call", name="workbench_wait_for_selection", _meta={"progressToken": "click"},
                             arguments={"timeoutMs": 20000, "prompt": "Which price?"})
        told = until(lambda: [note["params"]["message"] for note in client.notes_within(0.2)
                              if note["method"] == "notifications/progress"], "progress")
        need(told[0] == "Waiting for a click: Which price?", f"{told}")
        adapter.select("b1", "ui.button", props={})
        got = client.finish(number)["result"]["structuredContent"]
        need(got["data"]["current"]["selected"]["instanceId"] == "b1" and "timedOut" not in got["data"], f"{got}")
        got = client.use("workbench_wait_for_selection", timeoutMs=1000)
        need(got["data"]["timedOut"] and got["data"]["current"]["selected"]["instanceId"] == "b1", f"{got}")


def drafts_and_reloads(home, client, shop, started, adapter):
    with step("7, 8. drafts of the file reach the page; their statuses come back; an orphan stays"):
        os.makedirs(os.path.join(shop, ".skaffa"), exist_ok=True)
        its_selection = f"preview/sessions/{started['sessionId']}/selection"
        follower = Follower(client, [its_selection])
        follower.heard(0.5)  # of what was selected before
        drafts = [{"instanceId": name, "path": "/label", "value": "Save", "componentTypeId": "ui.button"}
                  for name in ("b1", "lost")]
        with open(os.path.join(shop, ".skaffa", "overrides.v0.json"), "w", encoding="utf-8") as file:
            json.dump({"schemaVersion": "v0", "updatedAt": "2026-01-31T08:44:40.000Z", "app": {"overrides": drafts}}, file)
        init = adapter.hear("host.init")
        need({one["instanceId"] for one in init["initialOverrides"]} == {"b1", "lost"}, f"{init}")
        need(its_selection in follower.heard(10, its_selection), "a draft more is shown with what is selected (N3)")
        states = lambda: {one["instanceId"]: one["status"] for one in client.data("workspace/overrides")["overrides"]}
        need(states() == {"b1": "pending", "lost": "pending"}, f"{states()}")
        adapter.say("runtime.overrideStatus", applied=[{"instanceId": "b1", "path": "/label"}],
                    orphaned=[{"instanceId": "lost", "path": "/label", "reason": "instance_not_found"}])
        until(lambda: states() == {"b1": "applied", "lost": "orphaned"}, "statuses")
        row = {one["name"]: one for one in client.see("preview/selection")["data"]["current"]["props"]}["label"]
        need(row["value"] == "Save" and row["valueFrom"] == "override" and row["overrideState"] == "applied", f"{row}")
        adapter.say("runtime.unload")
        until(lambda: session_of(client, started)["state"] == "reloading", "reloading")
        need(states() == {"b1": "pending", "lost": "pending"}, f"{states()}")
        gone = client.see(f"preview/sessions/{started['sessionId']}/selection")["data"]
        need(gone["selected"] is None and gone["causedBy"] == "reload", f"{gone}")
        adapter.end()
    with step("after a reload the same happens again, and the drafts are there"):
        again = Adapter(block_of(fetch(started["url"].rstrip("/"))[1]))
        need(len(again.ready()["initialOverrides"]) == 2, "drafts")
        until(lambda: session_of(client, started)["state"] == "ready", "ready again")
    return again


def hostile(home, client, started, adapter, port):
    origin = started["url"].rstrip("/")
    mcp = f"http://127.0.0.1:{home.env['TENON_HTTP_PORT']}"
    with step("a hostile page: forged keys, foreign origins, what is no message, floods"):
        forged = Adapter(adapter.block)
        forged.say("runtime.ready", key="guess")
        need(forged.closed() == 4401, "a wrong key")
        silent = Adapter(adapter.block)
        silent.raw("no JSON")
        need(silent.closed() == 4400, "no JSON")
        need(Adapter(adapter.block, origin="http://evil.example").status == 403, "a foreign page")
        need(Adapter(adapter.block, protocol="mcp").status == 400, "another protocol")
        liar = Adapter(adapter.block)
        liar.ready()
        liar.say("runtime.selectionChanged", sessionId="session_" + "0" * 32, causedBy="click", selected=None)
        need(liar.closed() == 4400, "another session's message")
        large = Adapter(adapter.block)
        large.ready()
        with contextlib.suppress(OSError):
            large.select("b1", "ui.button", props={"x": "y" * 10_000_000})
        need(large.closed() in (1009, 4400, None), "10 MB")
        for _ in range(1500):
            adapter.say("runtime.log", level="info", message="\x1b[31mspam")
        adapter.select("b1", "ui.button", props={"__proto__": {"admin": True}, "constructor": 1})
        until(lambda: (client.see("preview/selection")["data"]["current"] or {}).get("selected", {})
              .get("props", {}).get("constructor") == 1, "the last selection")
        codes = [one["code"] for one in session_of(client, started)["warnings"]]
        need("messages_dropped" in codes and "adapter_message_invalid" in codes, f"{codes}")
        logs = client.see(f"preview/sessions/{started['sessionId']}/logs?level=info&limit=5")["data"]["entries"]
        need(len(logs) == 5 and logs[0]["message"] == "spam", f"{logs}")
    with step("28. nothing of ours is reached from a page, and no gateway leads there"):
        for headers in ({}, {"Authorization": "Bearer guess"}):
            answer, _ = fetch(mcp, "/mcp", "POST", Origin=origin, Content_Type="application/json", **headers)
            need(answer.status in (401, 403) and not any(name.lower().startswith("access-control") for name in answer.headers),
                 f"{answer.status} {answer.headers}")
        need(fetch(origin, "/", Host="evil.example")[0].status == 403, "another name")
        need(fetch(origin, "/", Origin=mcp)[0].status == 403, "another origin")
        need(fetch(origin, mcp + "/mcp")[0].status == 400, "an absolute target")
        need(fetch(origin, "/__skaffa/other")[0].status == 404, "our own paths")
        for target in (mcp + "/", origin + "/"):
            told = as_person(home, "preview", target, code=5)
            need("port of ours" in told, told)
        told = as_person(home, "preview", "http://example.org/", code=5)
        need("this machine" in told, told)
        need(fetch(origin)[0].status == 200 and port, "it goes on")


def floods(home, adapter):
    """Messages that take long to read, and more than fit: read they are at the pace that leaves the loop to others."""
    def flood(page):
        with contextlib.suppress(OSError):
            while True:
                page.send(frame)

    with step("pages that flood have a part of the loop, and no more"):
        pid = home.discovery()["pid"]
        frame = links.masked_frame(1, ('{"type":"runtime.none","x":[' + "{}," * 340_000 + "{}]}").encode())
        pages = [Adapter(adapter.block) for _ in range(3)]
        for page in pages:
            page.ready()
        senders = [threading.Thread(target=flood, args=(page,), daemon=True) for page in pages]
        for sender in senders:
            sender.start()
        time.sleep(1)
        before, began = daemon.loop_ns(pid), time.monotonic()
        time.sleep(3)
        share = (daemon.loop_ns(pid) - before) / 1e9 / (time.monotonic() - began)
        for page in pages:
            page.end()
        for sender in senders:
            sender.join()
        need(share < 0.5, f"{share:.2f} of the loop's time")


def ends(home, client, started, adapter):
    with step("a stopped session closes its pages with 4409, and is gone"):
        os.makedirs(home.path("work", "other"))
        as_person(home, "open", home.path("work", "other"))
        as_person(home, "stop", started["sessionId"])  # also where another folder was opened last
        as_person(home, "close", client.see("workspaces")["data"]["workspaces"][0]["id"])
        need(adapter.closed() == 4409, "gone")
        until(lambda: client.see("preview/sessions")["data"]["sessions"] == [], "no session is left")
        need(client.see("preview/selection")["data"] == NULL_SELECTION, "no selection")
        with contextlib.suppress(OSError):
            fetch(started["url"].rstrip("/"))
            raise AssertionError("its port is open")


def plain(home, port):
    folder = copy_demo(home, "plain")
    with step("30. demo/plain through the gateway: its files untouched, its page with the DOM adapter"):
        as_person(home, "open", folder, "--read")
        started = start(home, port)
        origin = started["url"].rstrip("/")
        script, text = fetch(origin, "/bakery-clock.js")
        with open(os.path.join(ROOT, "demo/plain/bakery-clock.js"), "rb") as file:
            need(script.status == 200 and text == file.read(), "a file is changed")
        answer, code = fetch(origin, "/__skaffa/adapter.js")
        need(answer.status == 200 and b"data-component" in code, f"{answer.status} {code[:80]}")
        adapter = Adapter(block_of(fetch(origin)[1]))
        need([one["typeId"] for one in adapter.ready()["types"]] == ["bakery-clock", "plain.notice"], "its types")
        adapter.select("n", "plain.notice", props={"text": "hello"})
        with Seer(links.Stdio([daemon.TENON, "mcp", "workbench"], home.env, folder=folder)) as client:
            now = until(lambda: client.see("preview/selection")["data"]["current"], "a selection")
            need(now["registryMatch"]["status"] == "matched" and now["props"][0]["value"] == "hello", f"{now}")
            as_person(home, "close", client.see("workspaces")["data"]["workspaces"][0]["id"])
        need(adapter.closed() in (4409, None), "closed with its workspace")


def main():
    with daemon.Home(port=18510) as home, served(os.path.join(ROOT, "demo/plain")) as port:
        shop = copy_demo(home)
        home.tenon("up")
        with Seer(links.Stdio([daemon.TENON, "mcp", "workbench"], home.env, folder=shop)) as client:
            as_person(home, "open", shop, "--read")
            started, adapter = attached(home, client, port)
            selections(client, started, adapter)
            waiting(client, adapter)
            adapter = drafts_and_reloads(home, client, shop, started, adapter)
            hostile(home, client, started, adapter, port)
            floods(home, adapter)
            ends(home, client, started, adapter)
        plain(home, port)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
