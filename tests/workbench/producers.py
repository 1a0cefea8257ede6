#!/usr/bin/env python3
"""producers.py [imports] [patches] [hostile] - programs of a trusted folder that stay, with the real Node: what a configuration and its
modules import is followed (C5), and graph producers send patches (C9, C10, G4, G20), whatever they do to us."""
import contextlib
import json
import os
import signal
import sys
import time

for folder in ("../lib", "../terminal"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import check  # noqa: E402
import daemon  # noqa: E402
from check import need  # noqa: E402
from core import as_person  # noqa: E402
from managed import NODE, call, seen, servers  # noqa: E402
from preview import until  # noqa: E402

PORT = int(os.environ.get("TENON_PRODUCERS_PORT", "17960"))
CONFIG = "import { modules } from './parts/list.mjs';\nexport default { modules, components: { infer: false } };\n"
# It says what is written into "said.json" beside it: a patch for each line that comes.
MODULE = """import { existsSync, readFileSync } from 'node:fs';
import { routes } from './routes.mjs';
let revision = 1;
const node = (path) => ({ kind: 'route', id: `route:${path}`, path });
export function activate(context) {
  let timer;
  context.graph.registerProducer({ id: 'made',
    initialize: async () => ({ schemaVersion: 'v0', revision, nodes: routes.map(node), edges: [] }),
    start(onPatch) {
      let at = 0;
      timer = setInterval(() => {
        const lines = existsSync('said.jsonl') ? readFileSync('said.jsonl', 'utf8').split('\\n').filter(Boolean) : [];
        for (; at < lines.length; at++) onPatch({ schemaVersion: 'v0', revision: ++revision, ...JSON.parse(lines[at]) });
      }, 20);
    } });
  context.subscriptions.push(() => clearInterval(timer));
}
"""


def step(name):
    return check.Step("workbench-producers", name)


class Folder:
    """One that is open and trusted, and what is seen of it."""

    def __init__(self, home, name):
        self.home, self.root = home, home.path("work", name)
        os.makedirs(os.path.join(self.root, "parts"))
        self.write("package.json", "{}")

    def write(self, name, text):
        with open(os.path.join(self.root, name), "w", encoding="utf-8") as file:
            file.write(text)

    def says(self, *ops, **more):
        with open(os.path.join(self.root, "said.jsonl"), "a", encoding="utf-8") as file:
            file.write(json.dumps({"ops": list(ops), **more}) + "\n")

    def config(self):
        return self.client.see("workspace/config")["data"]

    def module(self, number=0):
        return self.config()["modules"][number]

    def codes(self, number=0):
        return [one["code"] for one in self.module(number)["diagnostics"]]

    def graph(self):
        return self.client.data("workspace/graph")["graph"]

    def routes(self):
        return sorted(one["path"] for one in self.graph()["nodes"] if one["kind"] == "route")

    def patches(self, since):
        data = self.client.data(f"workspace/graph/patches?epoch={self.epoch()}&since={since}")
        need(not data["resync"], f"{data}")
        return data["patches"]

    def epoch(self):
        return self.client.see("workspace/graph")["workspace"]["epoch"]

    def await_routes(self, *paths, seconds=20):
        until(lambda: self.routes() == sorted(paths), f"{paths}: {self.routes()}", seconds)


@contextlib.contextmanager
def opened(home, name, files):
    folder = Folder(home, name)
    for path, text in files.items():
        folder.write(path, text)
    as_person(home, "open", folder.root, "--trust", "--read")
    with seen(home, folder.root) as client:
        folder.client = client
        yield folder
    as_person(home, "close", next(one["id"] for one in json.loads(as_person(home, "status", "--json")) if one["root"] == folder.root))


def upsert(path):
    return {"op": "upsertNode", "node": {"kind": "route", "id": f"route:{path}", "path": path}}


def remove(path):
    return {"op": "removeNode", "node": {"kind": "route", "id": f"route:{path}"}}


def node_of(home):
    found = [pid for pid, words in servers(home).items() if words.split()[0].endswith("/node")]
    need(len(found) == 1, f"{servers(home)}")
    return found[0]


FILES = {"skaffa.config.mjs": CONFIG, "parts/list.mjs": "export const modules = ['./made.mjs'];", "made.mjs": MODULE,
         "routes.mjs": "export const routes = ['/a', '/b'];"}
PLAIN = "export const modules = [];"


# ---- what is imported is followed ----

def imports(home):
    deep = {"skaffa.config.mjs": CONFIG, "parts/list.mjs": "export { modules } from './more/deep.mjs';"}
    with opened(home, "imports", {**deep, "made.mjs": "export function activate() {}"}) as folder:
        with step("C5. an import that is missing is told; it comes, in a folder that was not there either, and all is well"):
            need([one["code"] for one in folder.config()["diagnostics"]] == ["INVALID_SYNTAX"], f"{folder.config()}")
            os.makedirs(os.path.join(folder.root, "parts/more"))
            folder.write("parts/more/deep.mjs", PLAIN)
            until(lambda: folder.config()["diagnostics"] == [], f"{folder.config()}", 20)
        with step("C5. a file that is imported through another changes: the configuration is another"):
            folder.write("parts/more/deep.mjs", "export const modules = ['./made.mjs'];")
            until(lambda: [one["id"] for one in folder.config()["modules"]] == ["./made.mjs"], f"{folder.config()}", 20)
        with step("C5. broken and mended: the defaults, and back"):
            folder.write("parts/more/deep.mjs", "export const modules = [")
            until(lambda: [one["code"] for one in folder.config()["diagnostics"]] == ["INVALID_SYNTAX"], f"{folder.config()}", 20)
            folder.write("parts/more/deep.mjs", PLAIN)
            until(lambda: folder.config()["diagnostics"] == [] and folder.config()["modules"] == [], f"{folder.config()}", 20)
        with step("C5. a file that is required, without its ending, and a link to a file are followed, too"):
            folder.write("skaffa.config.js", "module.exports = { modules: require('./parts/old'), components: { infer: false } };")
            os.unlink(os.path.join(folder.root, "skaffa.config.mjs"))
            until(lambda: [one["code"] for one in folder.config()["diagnostics"]] == ["INVALID_SYNTAX"], f"{folder.config()}", 20)
            folder.write("parts/one.cjs", "module.exports = ['./made.mjs'];")
            folder.write("parts/two.cjs", "module.exports = [];")
            os.symlink("one.cjs", os.path.join(folder.root, "parts/old.js"))
            until(lambda: len(folder.config()["modules"]) == 1, f"{folder.config()}", 20)
            os.symlink("two.cjs", os.path.join(folder.root, "parts/new.js"))
            os.rename(os.path.join(folder.root, "parts/new.js"), os.path.join(folder.root, "parts/old.js"))
            until(lambda: folder.config()["modules"] == [] and folder.config()["diagnostics"] == [], f"{folder.config()}", 20)
        with step("C5. one that never ends is followed by what it had loaded"):
            folder.write("parts/two.cjs", "for (;;);")
            until(lambda: [one["code"] for one in folder.config()["diagnostics"]] == ["TIMEOUT"], f"{folder.config()}", 30)
            folder.write("parts/two.cjs", "module.exports = ['./made.mjs'];")
            until(lambda: len(folder.config()["modules"]) == 1 and not folder.config()["diagnostics"], f"{folder.config()}", 20)
        with step("packages and files outside are not followed; what changes at each asking is not asked about for ever"):
            os.makedirs(os.path.join(folder.root, "node_modules/kit"))
            folder.write("node_modules/kit/index.js", "module.exports = [];")
            outside = home.path("work", "outside.cjs")
            with open(outside, "w", encoding="utf-8") as file:
                file.write("module.exports = [];")
            folder.write("parts/two.cjs", "require('fs').writeFileSync(__dirname + '/turn.cjs', 'module.exports = ' + process.hrtime.bigint());"
                         f"require('./turn.cjs'); module.exports = [...require('kit'), ...require({json.dumps(outside)})];")
            until(lambda: folder.config()["modules"] == [] and folder.config()["diagnostics"] == [], f"{folder.config()}", 30)
            need(folder.client.see("server/info")["data"]["state"] in ("loaded", "loading"), "it goes on")


# ---- patches ----

def patches(home):
    with opened(home, "patches", FILES) as folder:
        with step("C9. a producer stays: its patches change what it claims, each in its order, and what is told is minimal"):
            folder.await_routes("/a", "/b")
            node_of(home)
            before = folder.graph()["revision"]
            folder.client.ask("resources/subscribe", uri="skaffa://workspace/graph/patches")
            folder.client.notes_within(0.5)
            folder.says(upsert("/c"), remove("/a"), upsert("/b"))
            folder.await_routes("/b", "/c")
            [patch] = folder.patches(before)
            need([op["op"] for op in patch["ops"]] == ["removeNode", "upsertNode"] and patch["revision"] == before + 1, f"{patch}")
            need(any(one["method"] == "notifications/resources/updated" for one in folder.client.notes_within(2)), "told")
        with step("G9. one that is not valid is refused whole, said with its module, and forgiven by the next"):
            folder.says(upsert("/d"), {"op": "explode"})
            until(lambda: folder.codes() == ["graph_update_invalid"], f"{folder.module()}")
            need(folder.routes() == ["/b", "/c"] and folder.module()["status"] == "active", f"{folder.routes()}")
            folder.says(upsert("/d"))
            until(lambda: folder.codes() == [], f"{folder.module()}")
        with step("G6. one that comes too late is passed over, and said"):
            folder.says(upsert("/late"), revision=1)
            until(lambda: folder.codes() == ["stale_producer_revision"], f"{folder.module()}")
            need(folder.routes() == ["/b", "/c", "/d"], f"{folder.routes()}")
            folder.says(upsert("/d"))
            until(lambda: folder.codes() == [], f"{folder.module()}")
        with step("own claims only: what another claims stays, whatever a patch says"):
            data = call(home, "workbench_put_graph_snapshot", producerId="other", snapshot={
                "schemaVersion": "v0", "revision": 1, "nodes": [{"kind": "route", "id": "route:/x", "path": "/x"}], "edges": []})
            need(data["ok"], f"{data}")
            folder.says(remove("/x"), remove("/c"))
            folder.await_routes("/b", "/d", "/x")
            need(call(home, "workbench_delete_producer", producerId="other")["ok"], "deleted")
        with step("a look at the files changes nothing of it"):
            before, pid = folder.graph()["revision"], node_of(home)
            os.makedirs(os.path.join(folder.root, "src"))
            folder.write("src/App.tsx", "export const App = () => <main />;")
            time.sleep(1.5)
            need(folder.graph()["revision"] == before and folder.routes() == ["/b", "/d"], f"{folder.routes()}")
            folder.says(upsert("/e"))
            folder.await_routes("/b", "/d", "/e")
            need(node_of(home) == pid, "the same program")
        with step("C5. a file that it imports changes: it is started anew, and only what differs is told"):
            before = folder.graph()["revision"]
            os.unlink(os.path.join(folder.root, "said.jsonl"))
            folder.write("routes.mjs", "export const routes = ['/b', '/e', '/f'];")
            folder.await_routes("/b", "/e", "/f")
            need([(op["op"], op["node"]["id"]) for one in folder.patches(before) for op in one["ops"]] ==
                 [("removeNode", "route:/d"), ("upsertNode", "route:/f")], f"{folder.patches(before)}")
            need(node_of(home) != pid, "another program")
            folder.says(upsert("/g"))
            folder.await_routes("/b", "/e", "/f", "/g")
        with step("it is killed: said with its module, and its claims stay; a change starts it again"):
            os.kill(node_of(home), signal.SIGKILL)
            until(lambda: folder.codes() == ["producer_ended"], f"{folder.module()}")
            need("signal 9 (Killed)" in folder.module()["diagnostics"][0]["message"], f"{folder.module()}")
            need(folder.routes() == ["/b", "/e", "/f", "/g"] and not servers(home), f"{servers(home)}")
            os.unlink(os.path.join(folder.root, "said.jsonl"))
            folder.write("routes.mjs", "export const routes = ['/h'];")
            folder.await_routes("/h")
            need(folder.codes() == [] and node_of(home), f"{folder.module()}")
        with step("a module that is not named any more has no claims, and no program"):
            folder.write("parts/list.mjs", PLAIN)
            folder.await_routes()
            until(lambda: not servers(home), f"{servers(home)}")
            folder.write("parts/list.mjs", FILES["parts/list.mjs"])
            folder.await_routes("/h")
        with step("trust that is taken back ends it, and it is asked anew when it is given again"):
            need(call(home, "workbench_trust_workspace", trusted=False)["ok"], "refused")
            until(lambda: not servers(home) and folder.routes() == [], f"{servers(home)}")
            need(call(home, "workbench_trust_workspace", trusted=True)["ok"], "refused")
            folder.await_routes("/h")
            node_of(home)
    with step("a closed folder has no program"):
        until(lambda: not servers(home), f"{servers(home)}")


# ---- what is hostile ----

HEAD = """import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
const patch = (revision, path) => ({ schemaVersion: 'v0', revision, ops: [{ op: 'upsertNode', node: { kind: 'route', id: `route:${path}`, path } }] });
export function activate({ graph }) { graph.registerProducer({ id: 'p', initialize: () => ({ schemaVersion: 'v0', revision: 0, nodes: [], edges: [] }), %s }); }
"""


def slowest(client, seconds):
    """The longest that a small call took, in ms."""
    worst, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.monotonic()
        client.see("server/info")
        worst = max(worst, (time.monotonic() - began) * 1000)
        time.sleep(0.01)
    return worst


def memory_of(home):
    with open(f"/proc/{home.discovery()['pid']}/status", encoding="utf-8") as file:
        return int(next(line for line in file if line.startswith("VmRSS")).split()[1]) // 1024


def hostile(home):
    def with_code(code):
        return {"skaffa.config.mjs": CONFIG, "parts/list.mjs": "export const modules = ['./bad.mjs'];", "bad.mjs": HEAD % code}

    with opened(home, "flood", with_code("start(send) { let n = 0; const go = () => { for (let i = 0; i < 500; i++) send(patch(++n, '/' + n % 100)); setImmediate(go); }; go(); }")) as folder:
        with step("a flood of patches: they are taken at a pace, and others are answered"):
            until(lambda: len(folder.routes()) == 100, f"{folder.routes()}")
            before, at = folder.graph()["revision"], memory_of(home)
            worst = slowest(folder.client, 5)
            print(f"# slowest beside a flood: {worst:.0f} ms, {memory_of(home)} MiB")
            need(folder.graph()["revision"] - before < 7 * 200, "200 a second")
            need(memory_of(home) < at + 30, f"{at} {memory_of(home)}")
    with opened(home, "lines", with_code("start(send) { const go = () => { writeSync(1, 'x'.repeat(10_000_000)); writeSync(1, '\\n{\"type\":\"graph-patch\",\"producerId\":\"p\",\"patch\":{\"x\":\"' + 'y'.repeat(1_000_000) + '\"}}\\n'); setImmediate(go); };"
                                         " try { go(); } catch { setTimeout(go, 20); } send({ x: 'z'.repeat(300_000) }); }")) as folder:
        with step("lines of 10 MB: nobody else waits, no memory goes"):
            worst = slowest(folder.client, 5)
            print(f"# slowest beside lines of 10 MB: {worst:.0f} ms, {memory_of(home)} MiB")
            need(memory_of(home) < 200, f"{memory_of(home)}")
    with opened(home, "large", with_code("start(send) { send({ x: 'z'.repeat(300_000) }); send(patch(1, '/fine')); }")) as folder:
        with step("a patch that is too large is refused, and said; the next counts"):
            folder.await_routes("/fine")
            until(lambda: folder.codes() == ["limit_exceeded"], f"{folder.module()}")
    with opened(home, "many", with_code("start(send) { for (let i = 1; i <= 40; i++) send({ schemaVersion: 'v0', revision: i, ops: Array.from({ length: 600 }, (_, k) => patch(0, `/${i}-${k}`).ops[0]) }); }")) as folder:
        with step("one that claims without end is stopped at 5,000, and said"):
            until(lambda: "limit_exceeded" in folder.codes(), f"{folder.module()}")
            need(folder.client.see("server/info")["data"]["state"] == "loaded", "it goes on")
    with opened(home, "fails", with_code("start() { throw new Error('no patches today'); }")) as folder:
        with step("start() that fails is said, and what it has claimed counts"):
            until(lambda: folder.codes() == ["producer_failed"], f"{folder.module()}")
            need("no patches today" in folder.module()["diagnostics"][0]["message"], f"{folder.module()}")
    with opened(home, "throws", with_code("start() { setTimeout(() => { throw new Error('later'); }, 50); }")) as folder:
        with step("one that throws later ends, and its words are said"):
            until(lambda: folder.codes() == ["producer_ended"], f"{folder.module()}")
            need("later" in folder.module()["diagnostics"][0]["message"], f"{folder.module()}")
    with opened(home, "heap", with_code("start() { const all = []; setTimeout(() => { for (;;) all.push(new Array(1e6).fill(all.length)); }, 50); }")) as folder:
        with step("one that takes memory without end is ended by its bound"):
            until(lambda: folder.codes() == ["producer_ended"], f"{folder.module()}", 60)
    with opened(home, "never", with_code("initialize: () => new Promise(() => {})")) as folder:
        with step("C10. an initialize() without end is TIMEOUT after 10 s"):
            need(folder.codes() == ["TIMEOUT"] and folder.module()["status"] == "failed", f"{folder.module()}")
            until(lambda: not servers(home), f"{servers(home)}")
    forks = with_code("start() { process.on('SIGTERM', () => {}); for (let i = 0; i < 5; i++) spawn('setsid', ['sh', '-c', 'trap \"\" TERM; while :; do sleep 1; done'], { stdio: 'inherit', detached: true }); setInterval(() => {}, 1000); }")
    folder = Folder(home, "forks")
    for name, text in forks.items():
        folder.write(name, text)
    as_person(home, "open", folder.root, "--trust", "--read")
    with step("children that ignore SIGTERM, in sessions of their own: trust taken back, nothing is left"):
        until(lambda: len(servers(home)) >= 7, "they run")
        need(call(home, "workbench_trust_workspace", trusted=False)["ok"], "refused")
        until(lambda: not servers(home), "nothing is left", 10)
        need(call(home, "workbench_trust_workspace", trusted=True)["ok"], "refused")
        until(lambda: len(servers(home)) >= 7, "they run again", 20)
    with step("the daemon is killed: nothing is left"):
        os.kill(home.discovery()["pid"], signal.SIGKILL)
        until(lambda: not home.processes(), "nothing is left", 15)
    with step("L7. the daemon ends in order: nothing outlives it"):
        home.tenon("up")
        as_person(home, "open", folder.root, "--read")
        until(lambda: len(servers(home)) >= 7, "they run", 20)
        home.stop()
        until(lambda: not home.processes(), "nothing is left", 8)


def main():
    if not os.path.exists(os.path.join(NODE, "node")):
        check.skipped("workbench-producers", "everything", "Node is not there: tools/node.sh --fetch")
        return 0
    parts = {"imports": imports, "patches": patches, "hostile": hostile}
    for number, (name, part) in enumerate(parts.items()):
        if len(sys.argv) < 2 or name in sys.argv[1:]:
            with daemon.Home(port=PORT + number, PATH=NODE + ":" + os.environ["PATH"]) as home:
                home.tenon("up")
                part(home)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
