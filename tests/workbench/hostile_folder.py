#!/usr/bin/env python3
"""hostile_folder.py - a folder that means no good, opened by the real daemon (workbench.md C3, C6, T21, D3, O13, section 21): links and
paths that lead outside, files that are no files or too large, imports in circles, JavaScript without trust, a file of drafts that is
a link. Nothing outside is read or written, what is left out is said, and the daemon goes on."""
import contextlib
import json
import os
import sys
import time

for folder in ("../lib", "../terminal"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import check  # noqa: E402
import daemon  # noqa: E402
from acting import Page, assistant, op_set  # noqa: E402
from check import need  # noqa: E402
from core import ROOT, as_person, names, uses  # noqa: E402
from preview import served, start, until  # noqa: E402

PORT = int(os.environ.get("TENON_HOSTILE_FOLDER_PORT", "17980"))
SECRET = "export function Secret({ pin }: { pin: string }) { return <b>{pin}</b>; }\n"
GOOD = "export function Good({ label }: { label: string }) { return <b>{label}</b>; }\n"
MODULE = {"schemaVersion": "v0", "registry": {"schemaVersion": "v0", "components": {"out.secret": {"displayName": "Secret", "props": {}}}}}


def step(name):
    return check.Step("workbench-hostile-folder", name)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text if isinstance(text, str) else json.dumps(text))


def sparse(path, size):
    with open(path, "wb") as file:
        file.truncate(size)


def folder_of(home):
    shop, outside = home.path("work", "hostile"), home.path("work", "outside")
    write(outside + "/Secret.tsx", SECRET)
    write(outside + "/out.module.json", MODULE)
    write(shop + "/src/Good.tsx", GOOD)
    os.symlink(outside + "/Secret.tsx", shop + "/src/Linked.tsx")
    os.symlink(outside, shop + "/src/folder")
    os.symlink(".", shop + "/src/loop")
    os.symlink(outside + "/out.module.json", shop + "/linked.module.json")
    os.mkfifo(shop + "/src/Pipe.tsx")
    os.mkfifo(shop + "/pipe.module.json")
    sparse(shop + "/src/Huge.tsx", 3 << 30)
    sparse(shop + "/huge.module.json", 3 << 30)
    write(shop + "/script.mjs", "import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', 'x');\nexport function activate() {}\n")
    write(shop + "/deep.module.json", "[" * 100000)
    write(shop + "/own.module.json", '{"schemaVersion":"v0","registry":{"schemaVersion":"v0","components":{"__proto__":{"displayName":"P","props":'
          '{"constructor":{"exposure":{"kind":"opaque"}}}},"h.regex":{"displayName":"R","props":{"text":{"exposure":{"kind":"editable",'
          '"control":{"kind":"string"},"constraints":{"pattern":"^(a+)+$"}}}},"implementation":{"kind":"file","filePath":"../outside/Secret.tsx",'
          '"exportName":"Secret"}}}}}')
    # Each renders the next, and the last one the first.
    for i in range(50):
        write(f"{shop}/src/ring/R{i}.tsx", f"import {{ R{(i + 1) % 50} }} from './R{(i + 1) % 50}';\nimport {{ Good }} from '../Good';\n"
              f"export function R{i}() {{ return <><R{(i + 1) % 50} /><Good label=\"x\" /></>; }}\n")
    write(shop + "/src/routes.tsx", "import { RouteObject } from 'react-router-dom';\nimport { R0 } from './ring/R0';\nimport { routes as more } from './routes';\n"
          "export const routes: RouteObject[] = [{ path: '/', id: 'home', element: <R0 />, children: routes }, ...more];\n")
    write(shop + "/skaffa.config.json", {"components": {"infer": True}, "modules": [
        "./linked.module.json", "../outside/out.module.json", "@/../outside/out.module.json", "./pipe.module.json", "./huge.module.json",
        "./deep.module.json", "./script.mjs", "./own.module.json", "/etc/passwd", "../" * 40 + "etc/passwd", "./src"]})
    return shop, outside


def contents(folder):
    found = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            with open(path, "rb") as file:
                found[name] = (file.read(), os.stat(path).st_mtime_ns)
    return found


def opened(home, client, shop):
    with step("it is opened, in time, and what is in order is there"):
        began = time.monotonic()
        as_person(home, "open", shop, "--read")
        check.need_soon(began, 8, "opening")
        types = client.data("workspace/registry")["registry"]["components"]
        need("auto.src.Good.Good" in types and "h.regex" in types, f"{sorted(types)}")
        need(client.data("server/info")["state"] in ("loaded", "degraded"), "it is loaded")
    with step("C6. no module, type or source from outside is in force, by a link, `..`, or an absolute path; each is named"):
        need("out.secret" not in types and not any("Secret" in name for name in types), f"{sorted(types)}")
        modules = client.data("workspace/config")["modules"]
        failed = {one["id"]: [at["code"] for at in one["diagnostics"]] for one in modules if one["status"] == "failed"}
        need(len(failed) == 10 and all(failed.values()), f"{failed}")
        escapes = [name for name, codes in failed.items() if "path_escapes_workspace" in codes]
        need(len(escapes) >= 4, f"{failed}")
        graph = client.data("workspace/graph")["graph"]
        need(not any("outside" in json.dumps(node) or "Secret" in json.dumps(node) for node in graph["nodes"]), f"{graph['nodes']}")
    with step("T21, C3. its script has not run: NOT_TRUSTED"):
        need(any("NOT_TRUSTED" in codes for codes in failed.values()), f"{failed}")
        need(not os.path.exists(shop + "/ran"), "it ran")
    with step("G18. imports in a circle: routes and what they use are found, once"):
        need("routeId:home" in names(graph["nodes"], "route"), f"{graph['nodes']}")
        need(len(graph["edges"]) == len({json.dumps(one) for one in graph["edges"]}), "each once")
        used = uses(graph, "routeId:home")
        need({"auto.src.ring.R0.R0", "auto.src.Good.Good"} <= used and len(used) <= 21, f"{used}")  # 20 deep
    with step("section 21. what is too large or no file is left out, and said"):
        said = json.dumps(client.data("workspace/graph")["diagnostics"]) + json.dumps(client.data("workspace/registry")["diagnostics"])
        need("Huge.tsx" in said, said)
        need(check.resident_kib(home.discovery()["pid"]) < 200 << 10 or check.sanitized(), "memory")


def scripts(home, client, shop):
    with step("C3. a configuration in JavaScript does not run before it is trusted, and defaults are in force"):
        os.rename(shop + "/skaffa.config.json", shop + "/kept.json")
        write(shop + "/skaffa.config.mjs", "import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', 'x');\nexport default {};\n")
        until(lambda: [one["code"] for one in client.data("workspace/config")["diagnostics"]] == ["NOT_TRUSTED"], "told")
        need(client.data("server/info")["state"] == "degraded" and not os.path.exists(shop + "/ran"), "degraded")
        os.remove(shop + "/skaffa.config.mjs")
        os.rename(shop + "/kept.json", shop + "/skaffa.config.json")
        until(lambda: "h.regex" in client.data("workspace/registry")["registry"]["components"], "read again")
    for name, make in (("a pipe", os.mkfifo), ("a folder", os.mkdir), ("3 GiB", lambda path: sparse(path, 3 << 30)),
                       ("a link to a device", lambda path: os.symlink("/dev/zero", path)),
                       ("a link to itself", lambda path: os.symlink("skaffa.config.json", path)),
                       ("a link outside", lambda path: os.symlink("/etc/passwd", path))):
        with step(f"C4. a configuration that is {name}: told, and the daemon goes on"):
            path = shop + "/skaffa.config.json"
            os.rename(path, shop + "/kept.json")
            make(path)
            until(lambda: client.data("server/info")["state"] == "degraded", f"degraded: {client.data('workspace/config')['diagnostics']}")
            said = client.data("workspace/config")["diagnostics"]
            need(said and "root:" not in json.dumps(said), f"{said}")
            os.rename(path, shop + "/bad") if not os.path.isdir(path) or os.path.islink(path) else os.rmdir(path)
            with contextlib.suppress(FileNotFoundError):
                os.remove(shop + "/bad")
            os.rename(shop + "/kept.json", path)
            until(lambda: "h.regex" in client.data("workspace/registry")["registry"]["components"], "read again")


def drafts(home, client, shop, outside, port):
    """Where drafts are kept is the folder's to say, and must not lead out of it."""
    started = start(home, port)
    page = Page(started)
    until(lambda: client.use("workbench_list_instances")["data"]["instances"], "instances")
    page.adapter.say("runtime.instances", full=True, remove=[], upsert=[
        {"instanceId": "g", "componentTypeId": "auto.src.Good.Good", "props": {"label": "x"}},
        {"instanceId": "r", "componentTypeId": "h.regex", "props": {}}])
    until(lambda: "g" in [one["instanceId"] for one in client.use("workbench_list_instances")["data"]["instances"]], "the folder's own")
    use = lambda instance, path, value: client.try_to("workbench_apply_overrides", sessionId=started["sessionId"], ops=[op_set(instance, path, value)])
    before = contents(outside)
    for name, make in (("the folder is a link outside", lambda: os.symlink(outside, shop + "/.skaffa")),
                       ("the file is a link outside", lambda: (os.mkdir(shop + "/.skaffa"),
                                                               os.symlink(outside + "/Secret.tsx", shop + "/.skaffa/overrides.v0.json")))):
        with step(f"B3, O13. where {name}, no draft is written there"):
            make()
            time.sleep(0.5)
            done, error = use("g", "/label", f"written {name}")
            need(contents(outside) == before, f"{done} {error} {sorted(contents(outside))}")
            need(error and error["code"] == "persist_failed", f"{done} {error}")
            need(page.held == {}, f"{page.held}")
            if os.path.islink(shop + "/.skaffa"):
                os.remove(shop + "/.skaffa")
            else:
                os.remove(shop + "/.skaffa/overrides.v0.json")
                os.rmdir(shop + "/.skaffa")
            until(lambda: client.data("workspace/overrides")["storeState"] == "ok", "in order again")
    with step("13.5. a pattern that would run away is stopped: constraint_pattern, and the loop goes on"):
        began = time.monotonic()
        _, error = use("r", "/text", "a" * 5000 + "!")
        need(error["details"]["ops"][0]["code"] == "constraint_pattern", f"{error}")
        check.need_soon(began, 2, "the pattern")
    with step("O4. names that JavaScript takes for its own are no paths"):
        for path in ("/__proto__", "/constructor", "/label/prototype"):
            _, error = use("g", path, "x")
            need(error["details"]["ops"][0]["code"] == "unsafe_path", f"{path}: {error}")


def main():
    with served(os.path.join(ROOT, "demo/plain")) as port, daemon.Home(port=PORT, TENON_WORKBENCH_ACTUATION="allow") as home:
        home.tenon("up")
        shop, outside = folder_of(home)
        with assistant(home, shop) as client:
            opened(home, client, shop)
            scripts(home, client, shop)
            drafts(home, client, shop, outside, port)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
