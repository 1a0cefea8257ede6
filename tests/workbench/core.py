#!/usr/bin/env python3
"""core.py - the workbench without Node and without a browser (workbench-demo.md section 7, tier 1): what is read of the
demo's workspace, over the relay and over HTTP, in both eras; that it follows the files; and who may open a folder."""
import contextlib
import http.client
import json
import os
import shutil
import signal
import sys
import time

for folder in ("../lib", "../terminal"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import check  # noqa: E402
import daemon  # noqa: E402
import links  # noqa: E402
import person  # noqa: E402
from check import need  # noqa: E402
from places import Client, Refused  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FIXED = ["server/info", "workspaces", "workspace/config", "workspace/registry", "workspace/registry/index",
         "workspace/graph", "workspace/graph/patches", "workspace/overrides", "workspace/overrides/save-plan", "preview/sessions",
         "preview/selection"]
PRIORITIES = dict(zip(FIXED, (0.5, 0.5, 0.3, 0.8, 0.6, 0.7, 0.2, 0.7, 0.3, 0.8, 1.0)))
SIX = ["workbench_get_component", "workbench_get_selection", "workbench_list_components", "workbench_list_instances",
       "workbench_read_state", "workbench_wait_for_selection"]
NULL_SELECTION = {"activeSessionId": None, "current": None, "others": []}


def step(name):
    return check.Step("workbench-core", name)


class Seer(Client):
    """A client that keeps the notices it gets."""

    def __init__(self, link):
        self.notes = []
        super().__init__(link)

    def take(self, seconds):
        message = self.link.receive(seconds)
        if "method" in message and "id" not in message:
            self.notes.append(message)
        elif "id" in message:
            self.answers[message["id"]] = message

    def finish(self, number):
        end = time.monotonic() + 60
        while number not in self.answers:
            self.take(max(0.1, end - time.monotonic()))
        return self.answers.pop(number)

    def notes_within(self, seconds):
        try:
            self.take(seconds)
        except TimeoutError:
            pass
        notes, self.notes = self.notes, []
        return notes

    def see(self, uri):
        content = self.ask("resources/read", uri="skaffa://" + uri)["result"]["contents"]
        need(len(content) == 1, f"{content}")
        return json.loads(content[0]["text"])

    def data(self, uri):
        envelope = self.see(uri)
        need(envelope["status"] == "ok" and envelope["schemaVersion"] == "v0", f"{uri}: {envelope}")
        return envelope["data"]


def as_person(home, *words, code=0):
    """tenon workbench ..., by a person who is nobody's child."""
    done = person.do("run", words=[daemon.TENON, "workbench", *words], env=home.env, text=None, timeout=60)
    need(done["code"] == code, f"{words}: {done}")
    return done["out"] + done["err"]


def copy_demo(home, name="harbour"):
    to = home.path("work", name)
    shutil.copytree(os.path.join(ROOT, "demo", name), to, ignore=shutil.ignore_patterns("node_modules"))
    return to


def refused(client, tool, **arguments):
    try:
        return f"done: {client.use(tool, **arguments)}"
    except Refused as error:
        return f"{error.code} {error}"


def without_a_workspace(client):
    with step("1. without a workspace every fixed resource is readable and says so (L5)"):
        for uri in FIXED:
            envelope = client.see(uri)
            here = "ok" if uri in ("server/info", "workspaces") else "no_workspace"
            need(envelope["status"] == here and envelope["workspace"] is None, f"{uri}: {envelope}")
            need(here == "ok" or "tenon workbench open" in envelope["message"], f"{uri}: {envelope}")
        need(client.see("preview/selection")["data"] == NULL_SELECTION, "no selection")
        need(client.see("preview/sessions")["data"] == {"sessions": [], "launchers": []}, "empty lists")
        listed = {one["uri"].removeprefix("skaffa://"): one for one in client.ask("resources/list")["result"]["resources"]}
        need(list(listed) == FIXED and {one["mimeType"] for one in listed.values()} == {"application/json"}, f"{listed}")
        need({uri: one["annotations"] for uri, one in listed.items()} ==
             {uri: {"audience": ["assistant"], "priority": value} for uri, value in PRIORITIES.items()}, f"{listed} (15.1)")
        info = client.data("server/info")
        need(info["state"] == "no_workspace" and info["root"] is None and info["exposure"] == "loopback", f"{info}")


def names(rows, kind):
    return {row["id"] for row in rows if row["kind"] == kind}


def uses(graph, who):
    return {edge.get("componentTypeId") or edge["to"] for edge in graph["edges"]
            if who in (edge.get("routeId"), edge.get("from"))}


def the_demo(client):
    with step("2. the registry of the demo: composed, overridden, inferred (demo section 3)"):
        data = client.data("workspace/registry")
        types = data["registry"]["components"]
        explicit = {name for name, module in data["provenance"].items() if module != "inferred"}
        need(explicit == {"ui.button", "ui.badge", "ui.card", "ui.cardFooter", "ui.field", "ui.toggle", "shop.price",
                          "kit.pill"}, f"{explicit}")
        need(data["disabled"] == ["ui.swatch"] and "ui.swatch" not in types, f"{data['disabled']}")
        need(types["ui.badge"]["displayName"] == "Shop badge" and set(types["ui.badge"]["props"]) == {"text", "count"},
             f"{types['ui.badge']}")
        tone = types["ui.button"]["props"]["tone"]["exposure"]["control"]["options"]
        need([one["value"] for one in tone] == ["primary", "quiet"], f"{tone}")
        need(types["ui.card"]["props"]["elevated"]["label"] == "Raised", "an override's label")
        for name in ("auto.src.components.Note.Note", "auto.src.components.Shelf.Shelf", "auto.src.App.App"):
            need(name in types and data["provenance"][name] == "inferred", name)
        need(not any("Frame" in name for name in types), "Frame lies outside graph.include")
        note = types["auto.src.components.Note.Note"]["props"]
        need(note["text"]["exposure"]["control"]["kind"] == "string" and
             note["kind"]["exposure"]["control"]["kind"] == "select" and
             note["onDismiss"]["exposure"] == {"kind": "inspectOnly", "displayHint": "code"}, f"{note}")
    with step("2. the graph of the demo: routes and who uses whom (demo section 4)"):
        data = client.data("workspace/graph")
        graph = data["graph"]
        routes = {row["id"]: row["path"] for row in graph["nodes"] if row["kind"] == "route"}
        need(routes == {"routeId:root": "/", "routeId:home": "/", "routeId:menu": "/menu", "routeId:item": "/menu/:itemId",
                        "route:/about": "/about", "routeId:members": "/", "routeId:account": "/account", "route:/*": "/*"},
             f"{routes}")
        need([one["code"] for one in data["diagnostics"]] == ["invalid_route_id"], f"{data['diagnostics']}")
        need({"ui.button", "ui.card", "ui.cardFooter", "ui.field", "kit.pill"} <= uses(graph, "routeId:home"),
             f"{uses(graph, 'routeId:home')}")
        need({"ui.card", "shop.price", "ui.badge"} <= uses(graph, "routeId:menu"), f"{uses(graph, 'routeId:menu')}")
        need("ui.badge" in uses(graph, "ui.card"), f"{uses(graph, 'ui.card')}")
        need(uses(graph, "routeId:item") >= {"ui.card", "ui.button"}, f"{uses(graph, 'routeId:item')}")
        need("ui.swatch" not in {edge.get("to") or edge.get("componentTypeId") for edge in graph["edges"]}, "disabled")
        need(len(graph["nodes"]) == len({json.dumps(one) for one in graph["nodes"]}), "each once")
    with step("2. without a session the lists say so, and the launchers are there"):
        sessions = client.see("preview/sessions")
        need(sessions["status"] == "no_session" and sessions["data"]["sessions"] == [], f"{sessions}")
        need(client.see("preview/selection")["data"] == NULL_SELECTION, "no selection")


def one_component(client):
    with step("a component type: its source line, who uses it and what it uses, by tool and by resource"):
        found = client.use("workbench_get_component", typeId="ui.card")["data"]
        path = found["definition"]["filePath"]
        need(path == "src/components/Card.tsx" and found["definition"]["line"] > 1, f"{found['definition']}")
        need("ui.badge" in found["uses"] and "routeId:home" in found["usedByRoutes"], f"{found}")
        need(client.data("workspace/registry/ui.card")["entry"] == found["entry"], "the same")
        need("did you mean ui.card" in refused(client, "workbench_get_component", typeId="ui.crad"), "near")
        need("is disabled" in refused(client, "workbench_get_component", typeId="ui.swatch"), "disabled")
        need(client.data("workspace/graph/node/route/routeId%3Aitem")["path"] == "/menu/:itemId", "a node")
    with step("the index is filtered and comes in pages"):
        rows = client.use("workbench_list_components", query="BUTTON")["data"]["components"]
        need("ui.button" in [row["typeId"] for row in rows], f"{rows}")
        first = client.use("workbench_list_components", limit=5)["data"]
        second = client.use("workbench_list_components", limit=5, cursor=first["nextCursor"])["data"]
        both = [row["typeId"] for row in first["components"] + second["components"]]
        need(len(set(both)) == 10 and both == sorted(both), f"{both}")
        need("another revision" in refused(client, "workbench_list_components", cursor="77.5"), "a cursor of another time")


def not_there(client):
    with step("what is not there is not found; what is malformed is told (M2)"):
        for uri in ("nothing", "workspace/registry/x.unknown", "workspace/graph/node/route/routeId%3Anone",
                    "preview/sessions/session_1", "workspaces/ws_none/workspace/graph", "workspaces/ws_none"):
            need("error" in client.ask("resources/read", uri="skaffa://" + uri), uri)
        answer = client.ask("resources/read", uri="skaffa://workspace/graph/patches?since=new")
        need(answer["error"]["code"] == -32602, f"{answer}")
        for uri in ("workspace/registry/%zz", "workspace/graph/node/route/a%2", "nothing%"):
            answer = client.ask("resources/read", uri="skaffa://" + uri)
            need(answer["error"]["code"] == -32602 and "hexadecimal" in json.dumps(answer), f"{answer}")
            need("hexadecimal" in refused(client, "workbench_read_state", uri="skaffa://" + uri), "by tool")
        need("resource_not_found" in refused(client, "workbench_read_state", uri="skaffa://nothing"), "by tool")


class Follower:
    """A session of an earlier revision that subscribes."""

    def __init__(self, client, uris):
        self.client = client
        for uri in uris:
            need("result" in client.ask("resources/subscribe", uri="skaffa://" + uri), uri)

    def heard(self, seconds, until=None):
        heard, end = [], time.monotonic() + seconds
        while time.monotonic() < end:
            for note in self.client.notes_within(0.1):
                if note["method"] == "notifications/resources/updated":
                    heard.append(note["params"]["uri"].removeprefix("skaffa://"))
            if until and until in heard:
                break
        return heard


def following(client, shop):
    routes = os.path.join(shop, "src/routes.tsx")
    with open(routes, encoding="utf-8") as file:
        text = file.read()
    epoch = client.see("workspace/graph")["workspace"]["epoch"]
    before = client.data("workspace/graph")["graph"]
    follower = Follower(client, ["workspace/graph", "workspace/graph/patches", "workspace/registry", "workspace/overrides"])
    follower.heard(0.5)  # of the opening, which is told at most once in 100 ms
    with step("9. a file that changes nothing is no notice (N3)"):
        with open(routes, "w", encoding="utf-8") as file:
            file.write(text + "\n// nothing new\n")
        heard = follower.heard(1.5)
        need(heard == [], f"{heard}")
    with step("10. a route more: one revision, one patch with one node and its edges (G7, G8, N5)"):
        at = text.index("{ path: 'about'")
        with open(routes, "w", encoding="utf-8") as file:
            file.write(text[:at] + "{ path: 'imprint', id: 'imprint', element: <About /> }, " + text[at:])
        heard = follower.heard(20, "workspace/graph/patches")
        need("workspace/graph" in heard and "workspace/overrides" not in heard, f"{heard}")
        after = client.data("workspace/graph")["graph"]
        need(after["revision"] == before["revision"] + 1, f"{before['revision']} {after['revision']}")
        stream = client.data(f"workspace/graph/patches?epoch={epoch}&since={before['revision']}")
        need(stream["resync"] is False and len(stream["patches"]) == 1, f"{stream}")
        ops = stream["patches"][0]["ops"]
        made = [op["node"]["id"] for op in ops if op["op"] == "upsertNode" and op["node"]["id"] not in
                names(before["nodes"], "route")]
        need(made == ["routeId:imprint"] and not any(op["op"].startswith("remove") for op in ops), f"{ops}")
        need(client.data(f"workspace/graph/patches?epoch={epoch}&since={after['revision']}")["patches"] == [], "none since")
        need(client.data("workspace/graph/patches?epoch=other&since=0")["resync"] is True, "another epoch")
        need(client.data("workspace/graph/patches?since=99999")["graph"]["revision"] == after["revision"], "from the future")
    with step("N4. a type that changes is told to whoever follows it, and no other type; so is one that goes"):
        module = os.path.join(shop, "skaffa/ui.module.json")
        with open(module, encoding="utf-8") as file:
            text = file.read()
        types = Follower(client, ["workspace/registry/ui.button", "workspace/registry/ui.card", "workspace/registry/ui.field"])
        for other, expected in ((text.replace("A button with one line of text.", "Another."), {"ui.button"}),
                                (text.replace('"ui.field"', '"ui.gone"'), {"ui.button", "ui.field"}), (text, {"ui.field"})):
            with open(module, "w", encoding="utf-8") as file:
                file.write(other)
            heard = {uri.rpartition("/")[2] for uri in types.heard(20, "workspace/registry/" + max(expected)) + types.heard(0.5)
                     if uri.startswith("workspace/registry/ui.")}
            need(heard == expected, f"{heard}, not {expected}")
    with step("O15: overrides that another program writes are seen, and a broken file is told and kept"):
        path = os.path.join(shop, ".skaffa/overrides.v0.json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        kept = {"schemaVersion": "v0", "updatedAt": "2026-01-31T08:44:40.000Z", "app": {"overrides": [
            {"instanceId": "i1", "path": "/label", "value": "Hi", "componentTypeId": "ui.button"}]}}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(kept, file)
        daemon.wait_until(lambda: client.data("workspace/overrides")["overrides"], "the override")
        state = client.data("workspace/overrides")
        need(state["revision"] == 1 and state["overrides"][0]["status"] == "pending", f"{state}")
        with open(path, "w", encoding="utf-8") as file:
            file.write("{ broken")
        daemon.wait_until(lambda: client.data("workspace/overrides")["storeState"] == "file_invalid", "told")
        with open(path, encoding="utf-8") as file:
            need(file.read() == "{ broken", "the file is as it was")


def as_page(home):
    """A connection with the person token, as a page has it."""
    token = person.do("ask", path=home.runtime("person.sock"))["token"]
    return Seer(links.WebSocket(f"ws://127.0.0.1:{home.discovery()['httpPort']}/ws", token))


def producers(home, client):
    def node(name):
        return {"kind": "componentType", "id": name, "displayName": name}

    def snapshot(*nodes):
        return {"schemaVersion": "v0", "revision": 1, "nodes": list(nodes), "edges": []}

    with step("a producer from outside claims, edits and takes back what is its own (G4 to G6, G9)"), as_page(home) as page:
        before = client.data("workspace/graph")["graph"]
        done = page.use("workbench_put_graph_snapshot", producerId="hand", snapshot=snapshot(node("x.one")))
        need(done["accepted"] and done["revision"] == before["revision"] + 1, f"{done}")
        need([op["node"]["id"] for op in done["emitted"]["ops"]] == ["x.one"], f"{done}")
        again = page.use("workbench_put_graph_snapshot", producerId="hand", snapshot=snapshot(node("x.one")))
        need(again["revision"] == done["revision"] and again["emitted"] is None, f"{again}")
        patch = {"schemaVersion": "v0", "revision": 2, "ops": [{"op": "upsertNode", "node": node("x.two")}]}
        page.use("workbench_patch_graph", producerId="hand", patch=patch)
        need({"x.one", "x.two"} <= names(client.data("workspace/graph")["graph"]["nodes"], "componentType"), "both")
        need("2 before" in refused(page, "workbench_patch_graph", producerId="hand", patch=patch), "the same number again")
        told = refused(page, "workbench_put_graph_snapshot", producerId="hand", snapshot=snapshot(node("x.one"), node("")))
        need("VALIDATION_ERROR" in told and "/nodes/1/id must be" in told, told)
        many = snapshot(*(node(f"x.{i}") for i in range(200001)))
        told = refused(page, "workbench_put_graph_snapshot", producerId="hand", snapshot=many)
        need("limit_exceeded" in told, told[:300])
        page.use("workbench_delete_producer", producerId="hand")
        after = client.data("workspace/graph")["graph"]
        need(after["nodes"] == before["nodes"] and after["edges"] == before["edges"], "as it was")
        need("no producer hand" in refused(page, "workbench_delete_producer", producerId="hand"), "gone")


def claims_by_http(home, client):
    """Section 0, One door: a script that speaks no MCP changes its own claims with the client token."""
    found = home.discovery()
    token = home.tenon("token").stdout.strip()

    def send(method, path, body=None, **headers):
        sent = {"Authorization": "Bearer " + token, "Content-Type": "application/json", **headers}
        link = http.client.HTTPConnection(found["url"].removeprefix("http://").rstrip("/"), timeout=20)
        with contextlib.closing(link):
            text = body if isinstance(body, (str, type(None))) else json.dumps(body)
            link.request(method, "/api/v0/graph/producers/" + path, text, {k: v for k, v in sent.items() if v})
            answer = link.getresponse()
            return answer.status, answer.read().decode()

    def claim(*names_):
        return {"schemaVersion": "v0", "revision": 1, "edges": [],
                "nodes": [{"kind": "componentType", "id": name, "displayName": name} for name in names_]}

    with step("a script claims, edits and takes back over HTTP"):
        before = client.data("workspace/graph")["graph"]
        status, text = send("PUT", "script/snapshot", claim("h.one"))
        need(status == 200 and json.loads(text)["emitted"]["ops"][0]["node"]["id"] == "h.one", text)
        patch = {"schemaVersion": "v0", "revision": 2, "ops": [{"op": "upsertNode", "node": claim("h.two")["nodes"][0]}]}
        need(send("POST", "script/patch", patch)[0] == 200, "a patch")
        need({"h.one", "h.two"} <= names(client.data("workspace/graph")["graph"]["nodes"], "componentType"), "both")
        status, text = send("POST", "script/patch", patch)
        need(status == 422 and "2 before" in text, text)
        need(send("DELETE", "script")[0] == 200 and send("DELETE", "script")[0] == 404, "taken back once")
        need(client.data("workspace/graph")["graph"]["nodes"] == before["nodes"], "as it was")
    with step("claims of built-in producers are nobody's to take; what is wrong is told, and nothing changes"):
        for method, path, body, expected, word in (
                ("DELETE", "core.routes", None, 404, "no such producer"), ("PUT", "core.routes/snapshot", claim(), 200, ""),
                ("PUT", "a%2fb/snapshot", claim(), 400, "1 to 100"), ("PUT", "script", claim(), 404, "ID/snapshot"),
                ("PUT", "script/snapshot", "{", 400, "INVALID_JSON"), ("PUT", "script/snapshot", "[1]", 422, "VALIDATION_ERROR"),
                ("PUT", "script/snapshot", claim(""), 422, "/nodes/0/id"), ("POST", "script/snapshot", claim(), 404, "PUT"),
                ("PUT", "script/snapshot?workspace=ws_none", claim(), 409, "no workspace has this id"),
                ("PUT", "script/snapshot?x=1", claim(), 409, ""), ("GET", "script", None, 405, "")):
            status, text = send(method, path, body)
            need(status == expected and word in text, f"{method} {path}: {status} {text[:300]}")
        need(client.data("workspace/graph")["graph"]["nodes"] == before["nodes"], "as it was")
        for headers, expected in (({"Authorization": None}, 401), ({"Authorization": "Bearer wrong"}, 401),
                                  ({"Origin": "http://127.0.0.1:1"}, 403), ({"Host": "evil.example"}, 403),
                                  ({"Sec-Fetch-Site": "cross-site"}, 403), ({"Content-Type": "text/plain"}, 415)):
            status, text = send("PUT", "script/snapshot", claim("h.evil"), **headers)
            need(status == expected and "h.evil" not in text, f"{headers}: {status} {text[:200]}")
    with step("a rule of the policy holds for the routes, too"):
        path = home.path("config", "tenon", "policy.json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        for action in ("deny", "confirm"):
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"rules": [{"tool": "workbench_put_graph_snapshot", "action": action}]}, file)
            os.kill(found["pid"], signal.SIGHUP)
            daemon.wait_until(lambda: send("PUT", "script/snapshot", claim("h.rule"))[0] == 403, action)
            need("DENIED_BY_POLICY" in send("PUT", "script/snapshot", claim("h.rule"))[1], "the code")
            need(send("POST", "script/patch", {"schemaVersion": "v0", "revision": 99, "ops": []})[0] != 403, "another tool")
            with open(path, "w", encoding="utf-8") as file:
                file.write("{}")
            os.kill(found["pid"], signal.SIGHUP)
            daemon.wait_until(lambda: send("DELETE", "script")[0] in (200, 404) and
                              send("PUT", "script/snapshot", claim())[0] == 200, "allowed again")
        send("DELETE", "script")
        os.remove(path)


    with step("21. producers that claim nothing do not grow without bound, and whoever is there goes on"):
        for i in range(501):
            status, text = send("PUT", f"many{i}/snapshot", claim())
            if status != 200:
                break
        need(status == 422 and "limit_exceeded" in text and i > 400, f"{i}: {status} {text[:200]}")
        need(send("PUT", "many0/snapshot", {**claim("h.many"), "revision": 2})[0] == 200, "one that is there")
        need(all(send("DELETE", f"many{at}")[0] == 200 for at in range(i)), "taken back")
        need(client.data("workspace/graph")["graph"]["nodes"] == before["nodes"], "as it was")


def by_whom(home, shop):
    """12, T21: the client token sees six tools, and none of them opens a folder."""
    found = home.discovery()
    link = links.Http(found["url"].rstrip("/") + "/mcp/workbench", home.tenon("token").stdout.strip())
    with step("12. a client has six tools, all read only, and a folder is opened by a person alone"), Seer(link) as client:
        tools = client.ask("tools/list")["result"]["tools"]
        need(sorted(one["name"] for one in tools) == SIX, f"{[one['name'] for one in tools]}")
        need(all(one["annotations"]["readOnlyHint"] and not one["annotations"]["openWorldHint"] for one in tools), "hints")
        answer = client.ask("tools/call", name="workbench_open_workspace", arguments={"path": "/tmp"})
        need("error" in answer, f"{answer}")
        told = client.use("workbench_read_state", uri="skaffa://server/info")["data"]
        need(told["why"] == "it is the only one that is open" and told["root"] == shop, f"{told}")


def several(home, shop):
    plain = copy_demo(home, "plain")
    need("graph.include" not in as_person(home, "open", plain, "--read"), "its modules say all there is")
    opened = json.loads(as_person(home, "open", plain, "--read", "--json"))
    with step("a caller has the workspace above its own folder, and names another by its id (section 0)"):
        with Seer(links.Stdio([daemon.TENON, "mcp", "workbench"], home.env, folder=shop + "/src")) as client:
            need(client.data("server/info")["name"] == "harbour", "the nearest")
            there = client.data(f"workspaces/{opened['id']}/workspace/registry")
            need("plain.notice" in there["registry"]["components"], f"{there}")
            rows = client.use("workbench_list_components", workspace=opened["id"])["data"]["components"]
            need("bakery-clock" in [row["typeId"] for row in rows], f"{rows}")
            need("static" in [one["id"] for one in client.see(f"workspaces/{opened['id']}/preview/sessions")
                              ["data"]["launchers"]], "a module's launcher")
    with step("the short URIs' notices are for those whose workspace it is; a query belongs to its URI (N2)"), \
            as_page(home) as page, \
            Seer(links.Stdio([daemon.TENON, "mcp", "workbench"], home.env, folder=shop + "/src")) as client:
        own = "workspace/graph/patches?epoch=e&since=1"
        theirs = f"workspaces/{opened['id']}/workspace/graph"
        follower = Follower(client, ["workspace/graph", own, theirs])
        follower.heard(0.5)
        harbour = next(one["id"] for one in json.loads(as_person(home, "status", "--json")) if one["root"] == shop)
        for workspace, expected in ((opened["id"], [theirs]), (harbour, ["workspace/graph", own])):
            one = {"schemaVersion": "v0", "revision": 1, "edges": [],
                   "nodes": [{"kind": "componentType", "id": "x." + workspace[-4:], "displayName": "X"}]}
            page.use("workbench_put_graph_snapshot", workspace=workspace, producerId="hand", snapshot=one)
            heard = follower.heard(20, expected[-1]) + follower.heard(0.5)
            need(sorted(heard) == sorted(expected), f"{heard}, not {expected}")
            page.use("workbench_delete_producer", workspace=workspace, producerId="hand")
            follower.heard(0.5)
    with step("closing without a name is for the folder above, and never for another"):
        need("no folder above this one is open" in as_person(home, "close", code=1), "a guess")
    with step("closed, it is gone, and the other is everybody's"):
        as_person(home, "close", opened["id"])
        need(opened["id"] not in as_person(home, "status"), "listed")


def without_sources(home):
    """A project like many: nothing lies below src/."""
    shop = home.path("work", "elsewhere")
    os.makedirs(shop + "/components")
    with open(shop + "/components/Button.tsx", "w", encoding="utf-8") as file:
        file.write("export function Button({ label }: { label: string }) { return <b>{label}</b>; }\n<broken")
    with step("where no source lies in graph.include, it is said, with what to write; then what is wrong has its line"):
        told = as_person(home, "open", shop, "--read")
        need("0 component types" in told and "graph.include" in told and "skaffa.config.json" in told, told)
        with open(shop + "/skaffa.config.json", "w", encoding="utf-8") as file:
            file.write('{"graph": {"include": ["components/**/*.{ts,tsx}"]}, "modules": ["./none.module.json"]}')
        daemon.wait_until(lambda: "1 component type," in as_person(home, "open", shop, "--read"), "read again", 20)
        told = as_person(home, "open", shop, "--read")
        need("components/Button.tsx:2: " in told and "none.module.json: there is no such file" in told and
             "graph.include" not in told, told)
        as_person(home, "close", json.loads(as_person(home, "status", "--json"))[0]["id"])


def prompts(home):
    shop = home.path("work", "prompts")
    os.makedirs(shop)

    def configure(*prompts_):
        with open(shop + "/skaffa.config.json", "w", encoding="utf-8") as file:
            json.dump({"ai": {"prompts": list(prompts_)}}, file)

    def offered(client):
        return {one["name"]: one.get("description") for one in client.ask("prompts/list")["result"]["prompts"]}

    configure({"name": "review", "description": "Looks at it", "template": "Review {{selection}} in {{source}} of {{x}}: "
               "{{registryEntry}} {{{overrides}}"}, {"name": "plain", "template": "As it stands."},
              {"name": "explain_plan", "template": "taken"})
    with step("prompts that a project configures are offered, and filled in when they are asked for"), \
            Seer(links.Stdio([daemon.TENON, "mcp"], home.env, folder=shop)) as client, \
            Seer(links.Stdio([daemon.TENON, "mcp", "workbench"], home.env, folder=shop)) as own:
        need(offered(own) == {}, "none yet")
        others = offered(client)
        as_person(home, "open", shop, "--read")
        daemon.wait_until(lambda: "review" in offered(client), "offered")
        need(offered(client)["review"] == offered(own)["review"] == "Looks at it", "described")
        got = client.ask("prompts/get", name="review")["result"]["messages"][0]
        text = got["content"]["text"]
        need(got["role"] == "user" and text.startswith('Review {"activeSessionId":null,"current":null') and
             "(where it is written is not known) of {{x}}: (the registry has no entry" in text and
             '{{"revision":0' in text and text.endswith("not instructions."), text)
        need(client.ask("prompts/get", name="plain")["result"]["messages"][0]["content"]["text"] == "As it stands.", "plain")
        configure({"name": "plain", "template": "Another text."})
        daemon.wait_until(lambda: "review" not in offered(client), "taken back")
        need(client.ask("prompts/get", name="plain")["result"]["messages"][0]["content"]["text"] == "Another text.", "new")
        as_person(home, "close", next(one["id"] for one in json.loads(as_person(home, "status", "--json")) if one["root"] == shop))
        daemon.wait_until(lambda: offered(client) == others, "as before")


def refusals(home):
    with step("what cannot be opened is told in words"):
        need("No such file" in as_person(home, "open", "/nowhere", code=1), "no folder")
        told = as_person(home, "open", os.path.join(ROOT, "README.md"), code=5)
        need("NOT_A_DIRECTORY: it is no folder" in told and "{" not in told, told)


def main():
    with daemon.Home(TENON_WORKBENCH_ACTUATION="off") as home:
        shop = copy_demo(home)
        home.tenon("up")
        with Seer(links.Stdio([daemon.TENON, "mcp", "workbench"], home.env, folder=shop)) as client:
            without_a_workspace(client)
            with step("tenon workbench open tells what was read"):
                told = as_person(home, "open", shop, "--read")
                need("8 routes" in told and "component types" in told, told)
            the_demo(client)
            one_component(client)
            not_there(client)
            following(client, shop)
            producers(home, client)
            claims_by_http(home, client)
        by_whom(home, shop)
        several(home, shop)
        prompts(home)
        without_sources(home)
        refusals(home)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
