#!/usr/bin/env python3
"""workbench_project.py [ROUNDS] - what the daemon needs on a project of 1,000 files (workbench.md section 21), and whether it grows: cold
analysis, a changed file until its graph is read, a click until it can be read, an override until the page has it; memory over 10,000
clicks and 10,000 overrides; what the workbench costs before a folder is open. Medians and maxima; TENON_BUILD says which build."""
import json
import os
import statistics
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("workbench", "lib", "terminal"):
    sys.path.insert(0, os.path.join(HERE, "../tests", folder))
import check  # noqa: E402
import core  # noqa: E402
import daemon  # noqa: E402
from acting import Page, a_person, assistant, op_set, start  # noqa: E402
from preview import served, until  # noqa: E402

FILES, MANY = 1000, 10000
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 50
PORT = 17948


def source(number, extra=""):
    parts = "".join(f"import {{ C{at} as Part{i} }} from '../f{at % 40}/C{at}';\n"
                    for i, at in enumerate((number * 3 + i + 1) % FILES for i in range(3)))
    rows = "".join(f"      <div key=\"row-{i}\" className={{`row row-${{tone}}`}}>\n        <span>{{label}} &amp; a text of number {i}, as long "
                   f"as such texts are</span>\n        {{on && <Part{i % 3} label=\"Part\" tone={{tone}} onChange={{(v) => set(v + {i})}} />}}\n"
                   "      </div>\n" for i in range(12))
    return (f"import {{ memo, useState }} from 'react';\n{parts}{extra}\ninterface Props {{\n  label: string;\n  tone?: 'primary' | 'quiet';\n"
            f"  on?: boolean;\n  onChange?: (value: number) => void;\n}}\n\nexport function C{number}({{ label, tone = 'quiet', on = true }}: Props) {{\n"
            f"  const [value, set] = useState(0);\n  return (\n    <section className=\"c{number}\">\n{rows}    </section>\n  );\n}}\n")


def routes(more):
    return ("import type { RouteObject } from 'react-router-dom';\nimport { C1 } from './f1/C1';\n"
            f"export const routes: RouteObject[] = [{{ path: '/', id: 'home', element: <C1 /> }}{more}];\n")


def project(home):
    shop = home.path("work", "large")
    for number in range(FILES):
        path = f"{shop}/src/f{number % 40}/C{number}.tsx"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(source(number))
    with open(shop + "/src/routes.tsx", "w", encoding="utf-8") as file:
        file.write(routes(""))
    return shop


def told(what, values, target):
    print(f"{what:54} median {statistics.median(values):7.1f} ms   longest {max(values):7.1f} ms   target {target} ms", flush=True)


def hears(client, path, began, seconds=20):
    while time.monotonic() - began < seconds:
        if any(note["params"].get("uri", "").endswith(path) for note in client.notes_within(0.002)
               if note["method"] == "notifications/resources/updated"):
            return
    raise AssertionError(f"nobody told of {path}")


def cold(home, shop):
    """Opened by a person's connection; loaded when server/info says so."""
    times = []
    for _ in range(3):
        with a_person(home, shop) as user:
            began = time.monotonic()
            opened = user.use("workbench_open_workspace", path=shop)
            while user.see("workspaces")["data"]["workspaces"][0]["state"] == "loading":
                time.sleep(0.005)
            times.append((time.monotonic() - began) * 1000)
            if len(times) < 3:
                user.use("workbench_close_workspace", workspace=opened["workspace"]["id"])
    told("cold analysis of 1,000 files", times, 3000)


def changes(client, shop):
    core.Follower(client, ["workspace/graph"]).heard(1)
    times = []
    for i in range(20):
        with open(shop + "/src/routes.tsx", "w", encoding="utf-8") as file:
            began = time.monotonic()
            file.write(routes(f", {{ path: 'p{i}', element: <C1 /> }}"))
        hears(client, "workspace/graph", began)
        check.need(client.data(f"workspace/graph/node/route/route%3A%2Fp{i}")["path"] == f"/p{i}", "the route")
        times.append((time.monotonic() - began) * 1000)
        time.sleep(0.2)
    told("a changed file until its graph is read", times, 500)


def page_of(home, client, port):
    begun = start(home, port)
    page = Page(begun)
    page.adapter.fd.settimeout(None)  # it says nothing for a while
    until(lambda: client.use("workbench_list_instances")["data"]["instances"], "instances")
    page.adapter.say("runtime.instances", full=True, remove=[], upsert=[
        {"instanceId": name, "componentTypeId": f"auto.src.f{at % 40}.C{at}.C{at}", "props": {"label": "x"}}
        for name, at in (("b1", 1), ("b2", 2))])
    until(lambda: client.use("workbench_list_instances", typeId="auto.src.f1.C1.C1")["data"]["instances"], "instances")
    return begun["sessionId"], page


def selections(client, page):
    times = []
    for i in range(ROUNDS):
        label = f"x{i}"
        began = time.monotonic()
        page.adapter.select("b1", "auto.src.f1.C1.C1", props={"label": label})
        while (client.data("preview/selection")["current"] or {}).get("selected", {}).get("props", {}).get("label") != label:
            pass
        times.append((time.monotonic() - began) * 1000)
        time.sleep(0.05)
    told("a click until its enriched selection is read", times, 50)


def overrides(client, session, page):
    times, heard = [], threading.Event()
    take = page.take

    def also(message):
        if message["type"] == "host.applyOverrides":
            heard.at = time.monotonic()
            heard.set()
        take(message)

    page.take = also
    for i in range(ROUNDS):
        heard.clear()
        began = time.monotonic()
        call = client.send("tools/call", name="workbench_apply_overrides", arguments={
            "sessionId": session, "ops": [op_set("b1", "/label", f"v{i}")]})
        heard.wait(5)
        times.append((heard.at - began) * 1000)
        client.finish(call)
    told("an override until the page has it", times, 50)
    page.take = take


def memory(home, client, session, page):
    pid = home.discovery()["pid"]

    def over(what, act, at_once=1):
        sizes = []
        for i in range(0, MANY + 1, at_once):
            if i in (MANY // 5, MANY // 2, MANY):
                time.sleep(0.5)
                sizes.append(check.private_kib(pid))
            act(i)
        print(f"{what:54} private memory after {MANY // 5}, {MANY // 2}, {MANY}: {', '.join(str(one) for one in sizes)} KiB", flush=True)
        check.need(sizes[2] - max(sizes[:2]) < 1024, f"{what}: it grows")

    def select(i):
        page.adapter.select("b1" if i % 2 else "b2", "auto.src.f1.C1.C1", props={"label": "x" * 2000 + str(i)})
        time.sleep(0.0052)  # at most 200 messages in a second

    def change(i):
        client.use("workbench_apply_overrides", sessionId=session, ops=[
            op_set("b1" if at % 2 else "b2", "/label", "v" * 200 + str(at)) for at in range(i, i + 2)])

    over("10,000 clicks", select)
    # 5,000 changes: what the log lists, 1,000, is there from the first measurement on.
    over("10,000 overrides, two in a batch", change, 2)


def idle():
    sizes = {}
    for name, apps in (("without", "terminal,studio,floorplan,plan"), ("with", "terminal,studio,floorplan,plan,workbench")):
        with daemon.Home(port=PORT + 1, TENON_APPS=apps) as home:
            home.tenon("up")
            home.tenon("read", "tenon://status")
            time.sleep(1)
            pid = home.discovery()["pid"]
            sizes[name] = (check.private_kib(pid), check.resident_kib(pid), json.loads(home.tenon("read", "tenon://status").stdout)["apps"])
    check.need(len(sizes["with"][2]) >= 5, f"{sizes}")
    print(f"idle, before a folder is open: private {sizes['with'][0]} KiB with the workbench, {sizes['without'][0]} without; "
          f"resident {sizes['with'][1]} and {sizes['without'][1]} (at most 2048 more)", flush=True)


def main():
    idle()
    with served(os.path.join(core.ROOT, "demo/plain")) as port, daemon.Home(port=PORT, TENON_WORKBENCH_ACTUATION="allow") as home:
        home.tenon("up")
        shop = project(home)
        cold(home, shop)
        print(f"resident with 1,000 files: {check.resident_kib(home.discovery()['pid'])} KiB", flush=True)
        with assistant(home, shop) as client:
            changes(client, shop)
            session, page = page_of(home, client, port)
            selections(client, page)
            overrides(client, session, page)
            memory(home, client, session, page)


main()
