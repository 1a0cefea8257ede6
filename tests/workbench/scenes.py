#!/usr/bin/env python3
"""scenes.py [LANE] - what workbench-demo.md section 7 has beside the demonstration: 21, 22, 24 to 26 and 31 with the project's own Vite
and Chromium in both lanes, 28 to 30 in one."""
import contextlib
import http.server
import json
import os
import shutil
import sys
import threading

for folder in ("../lib", "../terminal"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import check  # noqa: E402
import daemon  # noqa: E402
from acting import assistant, op_set  # noqa: E402
from check import need  # noqa: E402
from core import ROOT, as_person, copy_demo  # noqa: E402
from demonstration import site, write  # noqa: E402
from managed import LANES, NODE, contents, copy_of, missing, start  # noqa: E402
from preview import Adapter, until  # noqa: E402
from shown import Shown  # noqa: E402

PORT = int(os.environ.get("TENON_SCENES_PORT", "17960"))
FILE = ".skaffa/overrides.v0.json"
MENU_NOTE = "Baked this morning, gone by noon."


class Scene:
    """One preview of a folder that an assistant acts on, and its page in Chromium."""

    def __init__(self, home, client, target, *selector):
        self.home, self.client = home, client
        told = start(home, target=target)
        need(told["ok"], f"{told}")
        self.session, self.url = told["session"]["sessionId"], told["session"]["url"]
        self.page = Shown(self.url, *selector)
        if self.page.opened:
            until(lambda: self.info()["state"] == "ready", "ready")

    def info(self):
        return self.client.see(f"preview/sessions/{self.session}")["data"]

    def enriched(self):
        return self.client.see(f"preview/sessions/{self.session}/selection")["data"]

    def selected(self):
        return (self.enriched() or {}).get("selected")

    def click(self, text, of):
        self.page.do("click", text)
        return until(lambda: (lambda one: one and one["componentTypeId"] == of and one)(self.selected()), f"{of} is selected")

    def change(self, *ops):
        done, error = self.client.try_to("workbench_apply_overrides", sessionId=self.session, ops=list(ops))
        need(done and done["statuses"] == "reported", f"{done} {error}")

    def go(self, **to):
        done, error = self.client.try_to("workbench_navigate", sessionId=self.session, to=to)
        need(done, f"{to}: {error}")
        return done

    def drafts(self):
        return self.client.data("workspace/overrides")["overrides"]

    def instances(self):
        return {one["instanceId"] for one in self.client.use("workbench_list_instances", sessionId=self.session, limit=200)["data"]["instances"]}


@contextlib.contextmanager
def scene(home, client, target, *selector):
    one = Scene(home, client, target, *selector)
    try:
        yield one
    finally:
        one.page.end()
        as_person(home, "stop", one.session)


VITE = {"type": "app", "launcherId": "vite"}


# ---- both lanes ----


def originals(step, one):
    with step("24. the ref has the focus, statics are there, and Tabs knows its cards: a boundary loses none of them"):
        need(one.page.do("run", "document.activeElement.getAttribute('placeholder')") == "For the paper bag", "the input has no focus")
        need(one.page.do("run", "document.querySelector('[data-testid=kinds]').textContent") == "Kinds of button: primary, quiet, danger",
             "statics")
        one.go(path="/menu")
        until(lambda: one.page.do("run", "document.querySelector('[data-testid=tabs]')?.dataset.count") == "2", "cards in Tabs")


def nearest(step, one):
    with step("21. text inside Shelf, outside of any Card, selects the nearest instance above it; the background and Escape nothing"):
        shelf = one.click(MENU_NOTE, "auto.src.components.Shelf.Shelf")
        need(shelf["displayName"] == "Shelf", f"{shelf}")
        one.page.do("at", 995, 695)
        until(lambda: one.selected() is None, "the background")
        one.click(MENU_NOTE, "auto.src.components.Shelf.Shelf")
        one.page.do("key", "Escape")
        until(lambda: one.selected() is None, "Escape")
        one.go(path="/")


def rows_of(one, of):
    return one.client.use("workbench_list_instances", sessionId=one.session, typeId=of)["data"]["instances"]


def away_and_back(step, one):
    order = one.click("Order now", "ui.button")["instanceId"]
    with step("22. after a reload every instance has the id that it had (A6)"):
        until(lambda: not rows_of(one, "shop.price") and len(rows_of(one, "ui.button")) == 4, "Home alone")
        before = one.instances()
        one.page.do("reload")
        until(lambda: one.info()["state"] == "ready" and one.instances() == before, f"the ids of {len(before)} instances")
        need(len(before) > 8, f"{before}")
    with step("25. navigated by a tool: the item's route is the active one; Home's draft is an orphan meanwhile, and then applied again"):
        one.change(op_set(order, "/label", "Order two"))
        until(lambda: [draft_["status"] for draft_ in one.drafts()] == ["applied"], "applied")
        done = one.go(path="/menu/rye")
        need((done["pathname"], done["how"], done["matchedRouteIds"][-1]) == ("/menu/rye", "router", "item"), f"{done}")
        one.click("Ask the baker", "ui.button")
        route = one.client.see("preview/selection")["data"]["current"]["graph"]["activeRoute"]
        need(route["id"] == "routeId:item" and route["path"] == "/menu/:itemId", f"{route}")
        need(one.info()["route"]["params"] == {"itemId": "rye"} and one.info()["route"]["source"] == "adapter", f"{one.info()['route']}")
        until(lambda: [draft_["status"] for draft_ in one.drafts()] in (["orphaned"], ["pending"]), "nowhere now")
        one.go(routeId="routeId:home")
        until(lambda: [draft_["status"] for draft_ in one.drafts()] == ["applied"], "applied again")
        need("Order two" in one.page.do("text"), "on the page")
    return order


def rebound(step, shop, one, order):
    with step("26. a line above it and a reload: bound again, and the file of drafts says the new place (A15)"):
        path = os.path.join(shop, "src/pages/Home.tsx")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        write(path, text.replace("import { useEffect", "// a line more\nimport { useEffect", 1))
        one.page.do("reload")
        row = until(lambda: next((row for row in one.drafts() if row["status"] == "applied" and row.get("reboundFrom")), None), "rebound")
        need(row["reboundFrom"] == order and row["instanceId"] != order, f"{row}")

        def kept_in_file():
            with open(os.path.join(shop, FILE), encoding="utf-8") as file:
                [kept] = json.load(file)["app"]["overrides"]
            return kept if kept["instanceId"] == row["instanceId"] else None

        kept = until(kept_in_file, "the file says so, too")
        place = site(shop, "order")
        need("reboundFrom" not in kept, f"{kept}")
        need((kept["instanceLocator"]["line"], kept["instanceLocator"]["column"]) == (place["line"], place["column"]), f"{kept} {place}")
        need("Order two" in one.page.do("text"), "on the page")


def one_component(step, home, shop, client):
    with step("31. one card alone, with what the registry begins it with; its drafts are in the group of components"), \
            scene(home, client, {"type": "component", "componentTypeId": "ui.card"}, ".card") as one:
        need(one.page.do("run", "document.querySelectorAll('.card').length") == 1, "one card")
        need(one.page.do("run", "document.querySelector('.card').className") == "card card-md", "its padding, not elevated")
        card = one.click("Card", "ui.card")
        one.change(op_set(card["instanceId"], "/title", "Draft"))
        need("Draft" in one.page.do("text"), "on the page")
        with open(os.path.join(shop, FILE), encoding="utf-8") as file:
            kept = json.load(file)
        need([(at["path"], at["value"]) for at in kept["component"]["overrides"]] == [("/title", "Draft")], f"{kept}")
        need([at["value"] for at in kept["app"]["overrides"]] == ["Order two"], "the app's are its own")
        until(lambda: {at["group"]: at["status"] for at in one.drafts()} == {"app": "pending", "component": "applied"}, "statuses")


# ---- one lane ----


def harness(step, home, shop, client):
    with step("29. with the harness the decorator stands around the app, and the project's own entry does not run"):
        shutil.copy(os.path.join(shop, "skaffa.harness.config.json"), os.path.join(shop, "skaffa.config.json"))
        until(lambda: client.data("workspace/config")["config"]["preview"].get("entry") == "./src/App.tsx", "the other configuration")
        need(client.data("workspace/config")["config"]["preview"]["mount"] == "harness", "what is in force")
        before = contents(shop)
        with scene(home, client, VITE) as one:
            need(one.page.do("run", "!!document.querySelector('[data-testid=frame] [data-testid=card-today]')"), "the decorator")
            loaded = one.page.do("run", "performance.getEntriesByType('resource').map((one) => new URL(one.name).pathname)")
            need("/src/main.tsx" not in loaded and "/src/App.tsx" in loaded, f"{[name for name in loaded if 'src' in name]}")
            need(one.page.do("faults") == [], f"{one.page.do('faults')}")
        need(contents(shop) == before, "nothing was made")


class Site(http.server.SimpleHTTPRequestHandler):
    """demo/plain, and redirects: to itself, and to wherever it likes."""

    def do_GET(self):
        where = {"/home": f"http://127.0.0.1:{self.server.server_port}/style.css", "/away": self.server.away}.get(self.path)
        if not where:
            super().do_GET()
            return
        self.send_response(302)
        self.send_header("Location", where)
        self.end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def hostile_site(folder, away):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), lambda *rest: Site(*rest, directory=folder))
    server.away = away
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


TRIES = """(async () => {
  const tried = {};
  const told = async (name, act) => { tried[name] = await act().then((value) => 'REACHED ' + value, (error) => 'refused ' + error); };
  const json = { 'Content-Type': 'application/json' };
  const claim = JSON.stringify({ schemaVersion: 'v0', revision: 1, edges: [], nodes: [{ kind: 'componentType', id: 'h.evil', displayName: 'E' }] });
  const socket = (url, protocols, first) => new Promise((ok, no) => {
    const one = new WebSocket(url, protocols);
    one.onopen = () => { if (!first) return ok('open'); one.send(JSON.stringify(first)); };
    one.onmessage = (event) => ok(String(event.data).slice(0, 60));
    one.onerror = () => no('error');
    one.onclose = (event) => no('closed ' + event.code);
    setTimeout(() => no('no answer'), 4000);
  });
  for (const guess of [null, 'Bearer guess', KEY && 'Bearer ' + KEY]) {
    const headers = guess ? { ...json, Authorization: guess } : json;
    await told('MCP ' + guess, () => fetch(OURS + '/mcp/workbench', { method: 'POST', headers, body: '{}' }).then((r) => r.status));
    await told('control API ' + guess, () => fetch(OURS + '/api/v0/graph/producers/evil/snapshot', { method: 'PUT', headers, body: claim }).then((r) => r.status));
  }
  await told('MCP as a form', () => fetch(OURS + '/mcp', { method: 'POST', mode: 'no-cors', body: '{}' }).then((r) => r.type === 'opaque' ? Promise.reject('opaque') : r.status));
  await told('the page of ours', () => fetch(OURS + '/').then((r) => r.text()));
  await told('WebSocket', () => socket(OURS.replace('http', 'ws') + '/ws', ['mcp', 'bearer.guess']));
  await told('WebSocket of the app', () => socket(OURS.replace('http', 'ws') + '/ws/workbench', ['mcp', 'bearer.' + KEY]));
  await told('the page of another preview', () => fetch(OTHER + '/').then((r) => r.text()));
  await told('the channel of another preview', () => socket(OTHER.replace('http', 'ws') + '/__skaffa/rt', 'skaffa-rt.v0',
    { type: 'runtime.ready', key: KEY, adapterId: 'x', adapterVersion: '1', capabilities: {}, page: { pageId: 'x', url: OTHER, title: '' } }));
  await told('ours through its own gateway', () => fetch('/mcp', { method: 'POST', headers: json, body: '{}' }).then((r) => r.status < 500 && r.status !== 501 && r.status !== 404 ? r.status : Promise.reject(r.status)));
  await told('a redirect out of the gateway', () => fetch('/away').then((r) => r.text()));
  tried.home = await fetch('/home').then((r) => new URL(r.url).origin === location.origin ? 'kept' : 'REACHED ' + r.url, (e) => 'REACHED? ' + e);
  return tried;
})()"""


def hostile(step, home, client, folder):
    ours = home.discovery()["url"].rstrip("/")
    with step("28. the page's own script tries MCP, the routes, WebSockets, another preview and redirects: refused, and nothing has changed"), \
            hostile_site(folder, ours + "/mcp") as url, hostile_site(folder, ours) as second, \
            scene(home, client, {"type": "app", "url": url}, "bakery-clock") as one, \
            scene(home, client, {"type": "app", "url": second}, "bakery-clock") as other:
        state = [client.see(uri)["data"] for uri in ("workspace/graph", "workspace/overrides", "workspaces")]
        key = one.page.do("run", "JSON.parse(document.getElementById('skaffa-rt-config').textContent).key")
        need(len(key) > 20, "a page may read its own key (T20)")
        code = TRIES
        for name, value in (("OURS", ours), ("OTHER", other.url.rstrip("/")), ("KEY", key)):
            code = code.replace(name, json.dumps(value))
        tried = one.page.do("run", code)
        need(len(tried) == 15 and not [name for name, what in tried.items() if "REACHED" in what], f"{tried}")
        need(state == [client.see(uri)["data"] for uri in ("workspace/graph", "workspace/overrides", "workspaces")], "as it was")
        need(other.info()["adapter"]["id"] == "dom" and other.info()["pages"] == 1, f"{other.info()}")
        forged = Adapter({"channelUrl": other.url.replace("http", "ws") + "__skaffa/rt", "key": key}, origin=other.url.rstrip("/"))
        forged.say("runtime.ready", key=key)
        need(forged.closed() == 4401, "one preview's key for another")


def plain(step, home, client, folder):
    with step("30. demo/plain through the gateway: a notice's text and a clock's attribute, over a reload"), \
            hostile_site(folder, "/") as url, scene(home, client, {"type": "app", "url": url}, "bakery-clock") as one:
        notice = one.click("Closed on Mondays.", "plain.notice")
        need(notice["props"]["text"] == "Closed on Mondays.", f"{notice}")
        listed = until(lambda: rows_of(one, "bakery-clock"), "what the page shows is told")
        need(len(listed) == 1, f"{listed}")
        one.change(op_set(notice["instanceId"], "/text", "Open on Mondays."),
                   op_set(listed[0]["instanceId"], "/attributes/format", "12"))
        clock = lambda: one.page.do("run", "document.querySelector('bakery-clock').textContent")
        held = lambda: "Open on Mondays." in one.page.do("text") and one.page.do("is", "bakery-clock", "format") == "12"
        need(held() and clock()[-2:].lower() in ("am", "pm"), f"{one.page.do('text')} {clock()}")
        one.page.do("reload")
        until(held, "after a reload")
        done, error = client.try_to("workbench_apply_overrides", sessionId=one.session, ops=[{"op": "clearAll"}])
        need(done, f"{error}")
        until(lambda: "Closed on Mondays." in one.page.do("text") and one.page.do("is", "bakery-clock", "format") == "24", "cleared")


def lane_of(lane, number):
    step = lambda name: check.Step(f"workbench-scenes-{lane}", name)
    why = missing(lane)
    if why:
        check.skipped(f"workbench-scenes-{lane}", "everything", why)
        return
    shop = copy_of(lane, f"scenes-{lane}")
    with daemon.Home(port=PORT + number, PATH=NODE + ":" + os.environ["PATH"], TENON_WORKBENCH_ACTUATION="allow") as home:
        home.tenon("up")
        as_person(home, "open", shop, "--read", "--trust")
        with assistant(home, shop) as client:
            with scene(home, client, VITE) as one:
                if not one.page.opened:
                    return  # the reason has been said
                originals(step, one)
                nearest(step, one)
                rebound(step, shop, one, away_and_back(step, one))
            one_component(step, home, shop, client)
            if number == 0:
                harness(step, home, shop, client)
        if number == 0:
            as_person(home, "close", folder_of(home))
            folder = copy_demo(home, "plain")
            as_person(home, "open", folder, "--read")
            with assistant(home, folder) as client:
                hostile(step, home, client, folder)
                plain(step, home, client, folder)


def folder_of(home):
    return json.loads(as_person(home, "status", "--json"))[0]["id"]


def main():
    for number, lane in enumerate(LANES):
        if len(sys.argv) < 2 or lane in sys.argv[1:]:
            lane_of(lane, number)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
