#!/usr/bin/env python3
"""managed.py [commands] [scripts] [LANE] - previews whose server the workbench starts (workbench-demo.md section 7: 14 to 19 and 31), with the real
Vite of both lanes: trust, states, logs, what is instrumented, sharing, every way to end, and one click in Chromium."""
import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time

for folder in ("../lib", "../terminal"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import check  # noqa: E402
import daemon  # noqa: E402
import links  # noqa: E402
import person  # noqa: E402
from acting import REFUSE, assistant  # noqa: E402
from check import need  # noqa: E402
from core import ROOT, Seer, as_page, as_person  # noqa: E402
from preview import block_of, fetch, until  # noqa: E402

LANES = ["harbour", "harbour-legacy"]
PORT = int(os.environ.get("TENON_MANAGED_PORT", "17910"))
NODE = os.environ.get("TENON_TEST_NODE") or os.path.join(ROOT, "tools/node/node_modules/node-linux-" + {"x86_64": "x64", "aarch64": "arm64"}.get(os.uname().machine, ""), "bin")
EXPLICIT = {"ui.button", "ui.badge", "ui.card", "ui.cardFooter", "ui.field", "ui.toggle", "shop.price", "kit.pill"}
BARE_PATH = "/usr/sbin:/sbin"  # where there is no Node


def missing(lane):
    """Why the tests of a lane cannot run here; None: they can."""
    if not os.path.exists(os.path.join(NODE, "node")):
        return "Node is not there: tools/node.sh --fetch"
    if not os.path.exists(os.path.join(ROOT, "demo", lane, "node_modules/vite")):
        return f"the packages of demo/{lane} are not installed: tools/packages.py demo/{lane}"
    return None


def copy_of(lane, name):
    """The demo with the packages of its lane, as hard links: Vite resolves links."""
    to = os.path.join(ROOT, "out/workbench", name)
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(os.path.join(ROOT, "demo/harbour"), to, ignore=lambda folder, names: {"node_modules"} & set(names))
    for file in ("package.json", "package-lock.json"):
        shutil.copy(os.path.join(ROOT, "demo", lane, file), to)
    packages = os.path.realpath(os.path.join(ROOT, "demo", lane, "node_modules"))
    subprocess.run(["cp", "-al", packages, os.path.join(to, "node_modules")], check=True)
    return to


def contents(folder):
    """Every file of a project with its hash, of packages their sizes."""
    found = {}
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            if os.path.islink(path):
                found[path] = os.readlink(path)
            elif "/node_modules/" in path:
                found[path] = os.path.getsize(path)
            else:
                with open(path, "rb") as file:
                    found[path] = hashlib.sha256(file.read()).hexdigest()
    return found


def in_folder(home, shop, *words, code=0):
    """tenon workbench ..., by a person who stands in that folder."""
    done = person.do("run", words=["sh", "-c", 'cd "$0" && exec "$@"', shop, daemon.TENON, "workbench", *words], env=home.env,
                     text=None, timeout=90)
    need(done["code"] == code, f"{words}: {done}")
    return done["out"] + done["err"]


def call(home, tool, **arguments):
    """The person's call of a tool; its structured result."""
    with as_page(home) as page:
        return page.ask("tools/call", name=tool, arguments=arguments)["result"]["structuredContent"]


def start(home, **arguments):
    return call(home, "workbench_start_preview", **arguments)


def preview(home, shop):
    return json.loads(in_folder(home, shop, "preview", "--json"))


def session_of(client, started):
    return client.see(f"preview/sessions/{started['sessionId']}")["data"]


def sessions(client):
    return client.see("preview/sessions")["data"]["sessions"]


def logs(client, started):
    entries = client.see(f"preview/sessions/{started['sessionId']}/logs")["data"]["entries"]
    return [one["message"] for one in entries if one["origin"] == "server"]


def servers(home):
    """Processes that run for a preview: Node and what it has started, and their guard."""
    found = {}
    for pid in home.processes():
        with contextlib.suppress(OSError):
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
            if not words[0].endswith((b"tenond", b"tenon")) or b"--guard" in words:
                found[pid] = b" ".join(words).decode(errors="replace")
    return found


def node_of(home):
    [pid] = [pid for pid, words in servers(home).items() if words.split()[0].endswith("/node")]
    return pid


@contextlib.contextmanager
def seen(home, shop):
    with Seer(links.Stdio([daemon.TENON, "mcp", "workbench"], home.env, folder=shop)) as client:
        yield client


# ---- what there is ----

def trusted_first(step, home, shop):
    with step("nothing of a folder runs before a person trusts it"):
        as_person(home, "open", shop, "--read")
        told = in_folder(home, shop, "preview", code=5)
        need("trusted" in told and "--trust" in told, told)
        need(not servers(home), f"{servers(home)}")
        as_person(home, "open", shop, "--trust")


def started(step, home, shop, client):
    with step("14. the project's own Vite is started: reached in time, at an address of this machine"):
        begin = time.monotonic()
        told = preview(home, shop)
        need(time.monotonic() - begin < 30, "30 s")
        session = told["session"]
        need(told["reused"] is False and session["state"] == "loading", f"{told}")
        need(session["url"].startswith("http://127.0.0.1:") and session["launcher"] == {"id": "vite", "state": "running"}, f"{session}")
        need(session["target"] == {"type": "app", "launcherId": "vite"}, f"{session}")
        need([one["id"] for one in client.see("preview/sessions")["data"]["launchers"]] == ["vite"], "launchers")
        again = preview(home, shop)
        need(again["reused"] is True and again["session"]["sessionId"] == session["sessionId"], f"{again}")
        same = start(home, target={"type": "app", "launcherId": "vite"}, wait="none")
        need(same["reused"] is True and same["session"]["sessionId"] == session["sessionId"], f"{same}")
    with step("14. its configuration is honoured, and its log has no escape sequences"):
        status, page = fetch(session["url"].rstrip("/"), "/src/App.tsx")
        need(status.status == 200 and b"/src/routes.tsx" in page, f"{status.status} {page[:200]}")  # "@/routes"
        need(any(line.startswith("Vite ") for line in logs(client, session)), f"{logs(client, session)}")
        need(not any("\x1b" in line or "[3" in line for line in logs(client, session)), f"{logs(client, session)}")
    return session


def instrumented(step, shop, client, session):
    def rows(which):
        return {one["typeId"]: one for one in session_of(client, session)["instrumentation"][which]}

    with step("15. what is instrumented is listed with its exports"):
        until(lambda: EXPLICIT <= set(rows("instrumented")), "8 explicit types", 30)
        forms = rows("instrumented")
        need(forms["ui.badge"]["exportName"] == "default" and forms["ui.card"]["target"] == forms["ui.cardFooter"]["target"],
             f"{forms}")
        need(forms["kit.pill"]["target"] == "@harbour/kit/Pill", f"{forms['kit.pill']}")
        need(rows("skipped") == {} and session_of(client, session)["warnings"] == [], f"{session_of(client, session)}")
    with step("15. an export that is renamed is left out, with a warning that names it; and comes back"):
        path = os.path.join(shop, "src/components/Price.tsx")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("export function Price", "export function Cost"))
        until(lambda: "shop.price" in rows("skipped"), "skipped")
        warnings = {one["code"]: one["message"] for one in session_of(client, session)["warnings"]}
        need("shop.price" in warnings["not_instrumented"] and "Price" in warnings["not_instrumented"], f"{warnings}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        until(lambda: "shop.price" in rows("instrumented") and not rows("skipped"), "back")
        until(lambda: session_of(client, session)["warnings"] == [], "no warning is left")


def clicked(step, shop, client, session):
    with step("19. a click in Chromium: the element's type and the exact place where it is written"):
        with open(os.path.join(shop, "src/pages/Home.tsx"), encoding="utf-8") as file:
            lines = file.read().split("\n")
        marker = next(number for number, line in enumerate(lines) if "@site:order " in line)
        place = {"filePath": "src/pages/Home.tsx", "line": marker + 2, "column": lines[marker + 1].index("<") + 1}
        browser = subprocess.Popen([os.path.join(NODE, "node"), os.path.join(ROOT, "tests/workbench/click.mjs"), session["url"], "Order now"],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True)
        try:
            line = browser.stdout.readline()
            if not line:
                return False  # the reason has been said
            need("opened" in json.loads(line), line)
            until(lambda: session_of(client, session)["state"] == "ready", "ready")
            info = session_of(client, session)
            need(info["active"] and info["adapter"]["id"] == "react" and info["pages"] == 1, f"{info}")
            browser.stdin.write("click\n")
            browser.stdin.flush()
            line = json.loads(browser.stdout.readline())
            need("Orders: 0" in line.get("clicked", ""), f"{line}")  # the click has not reached the app
            now = until(lambda: client.see("preview/selection")["data"]["current"], "a selection")
            need(now["selected"]["componentTypeId"] == "ui.button" and now["source"] == place, f"{place} {now}")
            need(now["selected"]["props"]["label"] == "Order now" and now["selected"]["propsOmitted"]["onClick"] == "function", f"{now}")
            need(now["registryMatch"]["status"] == "matched" and "routeId:home" in now["graph"]["usedByRoutes"], f"{now}")
        finally:
            browser.stdin.close()
            browser.wait(20)
            browser.stdout.close()
    until(lambda: session_of(client, session)["state"] == "reloading", "its page has gone")
    return True


FRESH = """export function Fresh({ text }: { text: string }) {
  return <em>{text}</em>;
}
"""


def live(step, shop, client, session):
    """What is instrumented follows the files while the server runs: nothing is started again."""
    fresh, page, main = "src/components/Fresh.tsx", "src/pages/Home.tsx", "src/components/Later.tsx"
    name = "auto.src.components.Fresh.Fresh"
    with open(os.path.join(shop, page), encoding="utf-8") as file:
        text = file.read()

    def write(path, words):
        """As editors do: a server that reads half a file makes a page of that, and is told of no change by what follows at once."""
        path = os.path.join(shop, path)
        with open(path + "~", "w", encoding="utf-8") as file:
            file.write(words)
        os.rename(path + "~", path)

    def rows(which):
        return {one["typeId"]: one for one in session_of(client, session)["instrumentation"][which]}

    def quiet():
        need(session_of(client, session)["warnings"] == [], f"{session_of(client, session)['warnings']}")

    def click(words, but=()):
        browser.stdin.write(words + "\n")
        browser.stdin.flush()
        line = json.loads(browser.stdout.readline())
        need(not [one for one in line["faults"] if not any(known in one for known in ("Failed to load resource", *but))], f"{line}")
        return line

    def selected(words, type_id, but=()):
        end = time.monotonic() + 30
        while True:
            click(words, but)
            now = client.see("preview/selection")["data"]["current"]
            if now and now["selected"]["componentTypeId"] == type_id:
                return now
            need(time.monotonic() < end, f"{words} is no {type_id}: {now and now['selected']}")
            time.sleep(0.2)

    used = text.replace("import { Field }", "import { Fresh } from '@/components/Fresh';\nimport { Field }").replace(
        "<p data-testid=\"orders\"", "<Fresh text=\"Just baked\" />\n      <p data-testid=\"orders\"")
    need(used.count("Fresh") >= 3, "the demo has what is replaced")
    browser = subprocess.Popen([os.path.join(NODE, "node"), os.path.join(ROOT, "tests/workbench/live.mjs"), session["url"]],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True)
    try:
        if not browser.stdout.readline():
            return  # the reason has been said
        until(lambda: session_of(client, session)["state"] == "ready", "ready")
        url = session_of(client, session)["url"]
        with step("S9. a component file that is new, and used at once, is instrumented while its page is open"):
            write(fresh, FRESH)
            write(page, used)
            until(lambda: name in rows("instrumented"), "instrumented", 20)
            now = selected("Just baked", name)
            need(now["selected"]["props"]["text"] == "Just baked" and now["source"]["filePath"] == page, f"{now}")
            need(click("Just baked")["kept"], "the page was not loaded anew")
            quiet()
        with step("S9. one that nobody uses yet is known, and instrumented when it is used"):
            write(main, FRESH.replace("Fresh", "Later").replace("em>", "strong>"))
            until(lambda: "auto.src.components.Later.Later" in rows("instrumented"), "instrumented", 20)
            write(page, used.replace("Fresh", "Later").replace("Just baked", "Still warm"))
            selected("Still warm", "auto.src.components.Later.Later")
            write(page, used)
            selected("Just baked", name)
        with step("S9. a component that gets another name is another; the former is no hint any more"):
            write(fresh, FRESH.replace("Fresh", "Newer"))
            write(page, used.replace("{ Fresh }", "{ Newer as Fresh }"))
            until(lambda: "auto.src.components.Fresh.Newer" in rows("instrumented") and name not in {**rows("instrumented"), **rows("skipped")},
                  "renamed", 20)
            # Between these two files the app itself is broken, if the server looks at that moment.
            selected("Just baked", "auto.src.components.Fresh.Newer", ("does not provide an export named", "[vite] Failed to reload"))
            quiet()
        with step("R13. a type that moves to another file is instrumented there; a file that is missing is told, and comes"):
            module = os.path.join(shop, "skaffa.config.json")
            with open(module, encoding="utf-8") as file:
                config = file.read()
            more = json.loads(config)
            more["modules"].append("./live.module.json")
            write("live.module.json", json.dumps({"schemaVersion": "v0", "registry": {"schemaVersion": "v0", "components": {"live.one": {
                "displayName": "One", "props": {}, "implementation": {"kind": "file", "filePath": "src/components/Fresh", "exportName": "Newer"}}}}}))
            write("skaffa.config.json", json.dumps(more))
            until(lambda: "live.one" in rows("instrumented"), "live.one", 20)
            selected("Just baked", "live.one")
            write("live.module.json", json.dumps({"schemaVersion": "v0", "registry": {"schemaVersion": "v0", "components": {"live.one": {
                "displayName": "One", "props": {}, "implementation": {"kind": "file", "filePath": "src/components/Moved", "exportName": "Moved"}}}}}))
            until(lambda: rows("skipped").get("live.one", {}).get("reason") == "no such file", "skipped", 20)
            need("live.one" not in rows("instrumented"), f"{rows('instrumented')}")
            write("src/components/Moved.tsx", FRESH.replace("Fresh", "Moved"))
            until(lambda: "live.one" in rows("instrumented") and not rows("skipped"), "moved", 20)
            write(page, used.replace("Fresh", "Moved"))
            selected("Just baked", "live.one")
            quiet()
        with step("S14. a package that was not prepared needs another server, and a warning says so; taken back, it goes"):
            write("live.module.json", json.dumps({"schemaVersion": "v0", "registry": {"schemaVersion": "v0", "components": {"live.link": {
                "displayName": "Link", "props": {}, "implementation": {"kind": "package", "specifier": "react-router-dom", "exportName": "Link"}}}}}))
            until(lambda: [one["code"] for one in session_of(client, session)["warnings"] if one["code"] != "not_instrumented"] == ["restart_recommended"],
                  "restart_recommended", 20)
            until(lambda: "start the preview again" in rows("skipped").get("live.link", {}).get("reason", ""), "skipped")
            write(page, text)
            click("Order now")
            write("skaffa.config.json", config)
            os.unlink(os.path.join(shop, "live.module.json"))
            for path in (fresh, main, "src/components/Moved.tsx"):
                os.unlink(os.path.join(shop, path))
            until(lambda: not [one for one in {**rows("instrumented"), **rows("skipped")} if "Fresh" in one or "live" in one or "Later" in one],
                  "all gone", 20)
            until(lambda: session_of(client, session)["warnings"] == [], "no warning is left", 20)
        need(session_of(client, session)["url"] == url, "the same server")
    finally:
        browser.stdin.close()
        browser.wait(20)
        browser.stdout.close()
    until(lambda: session_of(client, session)["state"] == "reloading", "its page has gone")


def shared(step, home, shop, client, session):
    with step("31. a component's session shares the server, and has pages of its own"):
        told = start(home, target={"type": "component", "componentTypeId": "ui.card"})
        one = told["session"]
        need(told["ok"] and one["type"] == "component" and one["launcher"]["id"] == "vite", f"{told}")
        origin = session["url"].rstrip("/")
        need(one["url"] == origin + "/__skaffa/component?type=ui.card", f"{one['url']}")
        page = fetch(origin, one["url"].removeprefix(origin))[1]
        need(block_of(page)["sessionId"] == one["sessionId"], f"{page[:400]}")
        need(block_of(fetch(origin)[1])["sessionId"] == session["sessionId"], "the app's page is its own")
        need(b"skaffa-rt-config" not in fetch(origin, "/__skaffa/component?type=ui.button")[1], "nobody's page has no block")
        pid = node_of(home)
        as_person(home, "stop", session["sessionId"])
        need([at["sessionId"] for at in sessions(client)] == [one["sessionId"]], f"{sessions(client)}")
        need(node_of(home) == pid and fetch(origin)[0].status == 200, "the server goes on for the other one")
        need(b"skaffa-rt-config" not in fetch(origin)[1], "the app's pages are nobody's now")
        again = preview(home, shop)["session"]
        need(again["url"] == session["url"] and again["sessionId"] != session["sessionId"], f"{again}")
        as_person(home, "stop", again["sessionId"])
        as_person(home, "stop", one["sessionId"])
        need(sessions(client) == [] and not servers(home), f"{sessions(client)} {servers(home)}")
        need("stopped" in as_person(home, "stop", one["sessionId"]), "it is stopped already")
        need("no session" in as_person(home, "stop", "session_" + "0" * 32, code=5), "never was one")


# ---- every end ----

def ends(step, home, shop, client):
    with step("17. the server is killed: error, with how it ended; stopped and started again"):
        session = preview(home, shop)["session"]
        os.kill(node_of(home), signal.SIGKILL)
        until(lambda: session_of(client, session)["state"] == "error", "error")
        info = session_of(client, session)
        need(info["lastError"]["code"] == "server_exited" and "signal 9 (Killed)" in info["lastError"]["message"], f"{info}")
        need(info["launcher"]["state"] == "failed" and not servers(home), f"{info} {servers(home)}")
        need([at["sessionId"] for at in sessions(client)] == [session["sessionId"]], "it stays listed until it is stopped (S4)")
        as_person(home, "stop", session["sessionId"])
        need(sessions(client) == [], f"{sessions(client)}")
    with step("16. started again it works; its guard killed, nothing is left"):
        session = preview(home, shop)["session"]
        need(fetch(session["url"].rstrip("/"))[0].status == 200, "it serves")
        [guard] = [pid for pid, words in servers(home).items() if "--guard" in words]
        os.kill(guard, signal.SIGKILL)
        until(lambda: session_of(client, session)["state"] == "error" and not servers(home), f"{servers(home)}")
        as_person(home, "stop", session["sessionId"])
    with step("trust that is taken back ends what it has let run (T21)"):
        session = preview(home, shop)["session"]
        need(call(home, "workbench_trust_workspace", trusted=False)["ok"], "refused")
        until(lambda: not servers(home) and sessions(client) == [], f"{servers(home)}")
        as_person(home, "open", shop, "--trust")
    with step("S6. a closed folder has no server"):
        preview(home, shop)
        as_person(home, "close", client.see("workspaces")["data"]["workspaces"][0]["id"])
        until(lambda: not servers(home), "no server")
        as_person(home, "open", shop, "--read")


def kills(step, home, shop):
    with step("16. the daemon is killed: Node and all that it has started end by themselves"):
        with open(os.path.join(shop, "vite.config.ts"), "a", encoding="utf-8") as file:
            file.write("\nimport { spawn } from 'node:child_process';\n"
                       "spawn('setsid', ['sleep', '1000'], { stdio: 'ignore', detached: true }).unref();\n")
        preview(home, shop)
        need(len([words for words in servers(home).values() if "sleep" in words]) == 1, f"{servers(home)}")
        os.kill(home.discovery()["pid"], signal.SIGKILL)
        until(lambda: not home.processes(), "nobody is left", 15)
    with step("L7. the daemon ends in order: nothing outlives it"):
        home.tenon("up")
        as_person(home, "open", shop, "--read")
        preview(home, shop)
        need(len(servers(home)) >= 3, f"{servers(home)}")
        home.stop()
        until(lambda: not home.processes(), f"{servers(home)}", 3)


# ---- what cannot be started ----

def broken(step, home, lane):
    shop = copy_of(lane, f"managed-{lane}-broken")
    config = os.path.join(shop, "vite.config.ts")

    def refused(**arguments):
        told = start(home, **arguments)
        need(told["ok"] is False, f"{told}")
        return told["error"]

    as_person(home, "open", shop, "--trust", "--read")
    with seen(home, shop) as client:
        with step("a configuration that fails is told, with the server's last lines"):
            with open(config, "w", encoding="utf-8") as file:
                file.write("console.log('\\x1b[31mred\\x1b[0m');\nthrow new Error('no bread today');\n")
            error = refused()
            need(error["code"] == "launch_failed" and "no bread today" in error["message"] and not error["retryable"], f"{error}")
            need("red" in [line["message"] for line in error["details"]["log"]] and len(error["details"]["log"]) <= 20, f"{error}")
            [session] = sessions(client)
            need(session["state"] == "error" and session["lastError"]["message"] == error["message"], f"{session}")
            as_person(home, "stop", session["sessionId"])
        with step("a configuration that ends the process: its exit status"):
            with open(config, "w", encoding="utf-8") as file:
                file.write("process.exit(7);\n")
            error = refused()
            need("exit status 7" in error["message"] and error["code"] == "launch_failed", f"{error}")
        with step("one that never answers is given up after 30 s, and ended"):
            with open(config, "w", encoding="utf-8") as file:
                file.write("process.on('SIGTERM', () => {});\nawait new Promise(() => {});\n")
            began = time.monotonic()
            error = refused(wait="ready", timeoutMs=60000)
            need(error["code"] == "launch_timeout" and error["retryable"] and 29 < time.monotonic() - began < 40, f"{error}")
            until(lambda: not servers(home), f"{servers(home)}", 10)
        with step("packages that are not installed: what to do"):
            shutil.rmtree(os.path.join(shop, "node_modules"))
            told = in_folder(home, shop, "preview", code=5)
            need("install the project's packages" in told, told)
            error = refused(target={"type": "app", "launcherId": "vite"})
            need(error["code"] == "launch_failed" and error["details"]["cause"] == "VITE_NOT_FOUND", f"{error}")
            error = refused(target={"type": "app", "launcherId": "none"})
            need(error["code"] == "launcher_unknown" and "skaffa://preview/sessions" in error["message"], f"{error}")
        need(not servers(home), f"{servers(home)}")


def without_node(step, shop):
    with step("without Node: NODE_MISSING, and what to do"):
        with daemon.Home(port=PORT + 2, PATH=BARE_PATH) as home:
            home.tenon("up")
            as_person(home, "open", shop, "--trust", "--read")
            error = start(home)["error"]
            need(error["details"]["cause"] == "NODE_MISSING" and "Install Node" in error["message"], f"{error}")


# ---- commands of modules: no Node is needed ----

SERVER = """import http.server, os, subprocess, sys
subprocess.Popen(["setsid", "sleep", "1000"])
server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), http.server.SimpleHTTPRequestHandler)
print("\x1b[32mLocal:\x1b[0m http://127.0.0.1:\x1b[1m%d\x1b[22m/%s" % (server.server_port, os.environ.get("SHOP", "")), flush=True)
server.serve_forever()
"""


def command_folder(home):
    """demo/plain with launchers of our own beside its own."""
    folder = home.path("work", "plain")
    shutil.copytree(os.path.join(ROOT, "demo/plain"), folder)
    with open(os.path.join(folder, "server.py"), "w", encoding="utf-8") as file:
        file.write(SERVER)

    def launcher(name, *command, **more):
        return {"id": name, "displayName": name, "supportedSessionTypes": ["app"], "command": list(command), "inject": "gateway", **more}

    told = "Local:\\s+(\\S+)"
    with open(os.path.join(folder, "skaffa", "more.module.json"), "w", encoding="utf-8") as file:
        json.dump({"schemaVersion": "v0", "launchers": [
            launcher("told", sys.executable, "server.py", readyPattern=told, env={"SHOP": "index.html"}),
            launcher("sleepy", "sh", "-c", "echo so far; sleep 1000 & wait", readyPattern=told),
            launcher("ends", "sh", "-c", "echo oh no >&2; exit 3", url="http://127.0.0.1:{port}/"),
            launcher("missing", "no-such-program", url="http://127.0.0.1:{port}/"),
            launcher("ours", "echo", "Local: " + home.discovery()["url"] + "/", readyPattern=told),
            launcher("far", "echo", "Local: http://example.org/", readyPattern=told),
            launcher("below", sys.executable, "../server.py", readyPattern=told, cwd="skaffa"),
            launcher("outside", "true", readyPattern=told, cwd="../.."),
        ]}, file)
    with open(os.path.join(folder, "skaffa.config.json"), encoding="utf-8") as file:
        config = json.load(file)
    config["modules"].append("./skaffa/more.module.json")
    with open(os.path.join(folder, "skaffa.config.json"), "w", encoding="utf-8") as file:
        json.dump(config, file)
    return folder


def commands():
    def step(name):
        return check.Step("workbench-managed-command", name)

    def begin(name, **more):
        return start(home, target={"type": "app", "launcherId": name}, **more)

    with daemon.Home(port=PORT + 3) as home:
        home.tenon("up")
        folder = command_folder(home)
        with step("a command of a folder that is not trusted does not run"):
            as_person(home, "open", folder, "--read")
            need(begin("static")["error"]["code"] == "untrusted_workspace", "refused")
            as_person(home, "open", folder, "--trust")
        before = contents(folder)
        with seen(home, folder) as client:
            with step("a command with a url is asked until it answers, and seen through the gateway"):
                session = begin("static")["session"]
                need(session["state"] == "loading" and session["launcher"] == {"id": "static", "state": "running"}, f"{session}")
                page = fetch(session["url"].rstrip("/"))[1]
                need(block_of(page)["sessionId"] == session["sessionId"] and b"/__skaffa/adapter.js" in page, f"{page[:400]}")
                need(any("GET / HTTP" in line for line in logs(client, session)), f"{logs(client, session)}")
                need(begin("static")["reused"], "the same")
            with step("a command with a pattern is found by the line that it prints"):
                other = begin("told")["session"]
                need(other["url"].endswith("/index.html") and b"skaffa-rt-config" in fetch(*split(other["url"]))[1], f"{other}")
                need("Local: http" in logs(client, other)[0] and "\x1b" not in logs(client, other)[0], f"{logs(client, other)}")
                below = begin("below")["session"]
                need(b"plain.module.json" in fetch(*split(below["url"]))[1], "it runs in its cwd")
            with step("V5, V6. an assistant starts one when a person agrees, who sees the command"), assistant(home, folder) as other_one:
                target = {"type": "app", "launcherId": "sleepy"}
                other_one.decide = lambda message: REFUSE
                _, error = other_one.try_to("workbench_start_preview", target=target)
                need(error and error["error"] == "CONSENT_DECLINED", f"{error}")
                need("sleepy" in other_one.asked[-1] and '"sh","-c","echo so far; sleep 1000' in other_one.asked[-1], f"{other_one.asked}")
                need("sleep" not in str([words for words in servers(home).values() if "so far" in words]), f"{servers(home)}")
                other_one.decide = lambda message: other_one.offered[0]
                done, error = other_one.try_to("workbench_start_preview", target=target, wait="none")
                need(done and done["session"]["state"] == "creating", f"{error}")
                done, error = other_one.try_to("workbench_stop_preview", sessionId=done["session"]["sessionId"])
                need(done == {"ok": True, "sessionId": done["sessionId"], "state": "disposed", "alreadyStopped": False}, f"{done} {error}")
            with step("what cannot be started or found is told, and ended"):
                for _ in range(9):  # one that failed makes room for the next try
                    error = begin("ends")["error"]
                need(len(sessions(client)) == 4, f"{sessions(client)}")
                need("exit status 3" in error["message"] and error["details"]["log"][-1]["message"] == "oh no", f"{error}")
                error = begin("missing")["error"]
                need("exit status 127" in error["message"] and "no-such-program" in error["details"]["log"][-1]["message"], f"{error}")
                for name in ("ours", "far"):
                    error = begin(name)["error"]
                    need(error["code"] == "launch_failed" and "address" in error["message"], f"{error}")
                need(begin("outside")["error"]["details"]["cause"] == "path_escapes_workspace", "outside")
                need(start(home, target={"type": "component", "componentTypeId": "plain.notice"})["error"]["code"] == "unsupported_target", "Vite only")
                for one in sessions(client):
                    if one["state"] == "error":
                        as_person(home, "stop", one["sessionId"])
                told = begin("sleepy", timeoutMs=1000)["error"]
                need(told["code"] == "session_not_ready" and told["retryable"], f"{told}")
                for one in sessions(client):
                    if one["state"] == "creating":
                        as_person(home, "stop", one["sessionId"])
                need(len(sessions(client)) == 3, f"{sessions(client)}")
            with step("S6. stopped, its port and all that it has started are gone"):
                as_person(home, "stop", other["sessionId"])
                as_person(home, "stop", session["sessionId"])
                need(len([words for words in servers(home).values() if words.startswith("sleep")]) == 1, f"{servers(home)}")
                need(contents(folder) == before, "nothing was made or changed")
        with step("the daemon is killed: no server of a command is left"):
            os.kill(home.discovery()["pid"], signal.SIGKILL)
            until(lambda: not home.processes(), f"{servers(home)}", 15)


# ---- configuration and modules in JavaScript ----

CONFIG = """import { writeFileSync } from 'node:fs';
import { modules } from './list.mjs';
console.log('{"type":"config","config":{"modules":[]}}');
export default async ({ workspaceRoot }) => ({ schemaVersion: 'v0', modules, preview: { environment: { ROOT: workspaceRoot } },
  components: { infer: false } });
"""
GOOD = """export function activate(context) {
  context.registry.contributeRegistry({ schemaVersion: 'v0', components: { 'js.one': { displayName: 'One', props: {} } } });
  context.graph.registerProducer({ id: 'made', initialize: async () => ({ schemaVersion: 'v0', revision: 1, edges: [],
    nodes: [{ kind: 'route', id: 'route:/made', path: '/made' }] }) });
  context.ui.registerPanel({});
}
"""


def trusted_later(home):
    """A folder that is open already: what is said after it was trusted was read after it."""
    folder = home.path("work", "later")
    os.makedirs(folder)
    with open(os.path.join(folder, "package.json"), "w", encoding="utf-8") as file:
        file.write("{}")
    with open(os.path.join(folder, "skaffa.config.mjs"), "w", encoding="utf-8") as file:
        file.write("await new Promise((done) => setTimeout(done, 700)); export default { graph: { include: ['lib/**/*.tsx'] } };")
    with check.Step("workbench-managed-scripts", "trusted while it is open: what --read says is what was read since"):
        need("is not trusted" in as_person(home, "open", folder, "--read"), "refused first")
        told = as_person(home, "open", folder, "--read", "--trust")
        need("is not trusted" not in told, told)
        as_person(home, "close", next(one["id"] for one in json.loads(as_person(home, "status", "--json")) if one["root"] == folder))


def scripts():
    def step(name):
        return check.Step("workbench-managed-scripts", name)

    def write(name, text):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def config_now():
        return client.see("workspace/config")["data"]

    def codes(diagnostics):
        return [one["code"] for one in diagnostics]

    def modules_now():
        data = config_now()
        return {one["id"]: (one["status"], codes(one["diagnostics"])) for one in data["modules"]} if data else None

    if not os.path.exists(os.path.join(NODE, "node")):
        check.skipped("workbench-managed-scripts", "everything", "Node is not there: tools/node.sh --fetch")
        return
    with daemon.Home(port=PORT + 4, PATH=NODE + ":" + os.environ["PATH"]) as home:
        folder = home.path("work", "scripts")
        os.makedirs(folder)
        write("package.json", "{}")
        write("skaffa.config.mjs", CONFIG)
        write("list.mjs", "export const modules = ['./good.mjs'];")
        write("good.mjs", GOOD)
        home.tenon("up")
        trusted_later(home)
        with seen(home, folder) as client:
            with step("C3. a program is not run before the folder is trusted"):
                as_person(home, "open", folder, "--read")
                data = config_now()
                need(codes(data["diagnostics"]) == ["NOT_TRUSTED"] and data["config"]["components"]["infer"] is True, f"{data}")
                need(client.see("server/info")["data"]["state"] == "degraded", "degraded")
            with step("C3, C9. trusted it is: its configuration, its modules' types, routes and diagnostics"):
                as_person(home, "open", folder, "--trust")
                until(lambda: config_now() and not config_now()["diagnostics"], "evaluated", 20)
                data = config_now()
                need(data["config"]["preview"]["environment"] == {"ROOT": folder} and data["config"]["components"]["infer"] is False, f"{data}")
                need(modules_now() == {"./good.mjs": ("active", ["unsupported_contribution"])}, f"{data['modules']}")
                types = client.data("workspace/registry")
                need(types["provenance"] == {"js.one": "./good.mjs"}, f"{types}")
                nodes = client.data("workspace/graph")["graph"]["nodes"]
                need("route:/made" in [one["id"] for one in nodes], f"{nodes}")
                need(client.see("server/info")["data"]["state"] == "loaded" and not servers(home), f"{servers(home)}")
            with step("C5. changed it is asked again, and what is gone is taken back"):
                write("good.mjs", GOOD.replace("js.one", "js.two").replace("/made", "/other"))
                until(lambda: client.data("workspace/registry")["provenance"] == {"js.two": "./good.mjs"}, "js.two", 20)
                routes = [one["id"] for one in client.data("workspace/graph")["graph"]["nodes"] if one["kind"] == "route"]
                need(routes == ["route:/other"], f"{routes}")
            with step("C10. one that never ends is ended, and said so; those before it count"):
                write("loops.mjs", "import { spawn } from 'node:child_process';\n"
                                   "spawn('setsid', ['sleep', '1000'], { detached: true, stdio: 'ignore' });\nwhile (true);\n")
                write("list.mjs", "export const modules = ['./good.mjs', './loops.mjs', './never.mjs'];")
                write("never.mjs", GOOD)
                until(lambda: (modules_now() or {}).get("./loops.mjs") == ("failed", ["TIMEOUT"]), "TIMEOUT", 25)
                need(modules_now()["./good.mjs"][0] == "active" and modules_now()["./never.mjs"] == ("failed", ["TIMEOUT"]), f"{modules_now()}")
                until(lambda: not servers(home), f"{servers(home)}")
            for text, code in (("export default {", "INVALID_SYNTAX"), ("export const a = 1", "VALIDATION_ERROR"),
                               ("export default { preview: 7 }", "VALIDATION_ERROR"), ("process.exit(3)", "UNKNOWN_ERROR"),
                               ("export default { a: 'x'.repeat(70_000_000) }", "VALIDATION_ERROR")):
                with step(f"C4. {text[:40]}: {code}, and the defaults are in force"):
                    write("skaffa.config.mjs", text)
                    until(lambda: codes(config_now()["diagnostics"]) == [code], f"{code}: {config_now()['diagnostics']}", 20)
                    need(config_now()["config"]["components"]["infer"] is True, "the defaults")
            with step("trust that is taken back: nothing runs, and nothing of it is in force"):
                write("skaffa.config.mjs", "while (true);")
                until(lambda: servers(home), "it is asked")
                need(call(home, "workbench_trust_workspace", trusted=False)["ok"], "refused")
                until(lambda: not servers(home) and codes(config_now()["diagnostics"]) == ["NOT_TRUSTED"], f"{servers(home)}")
    with daemon.Home(port=PORT + 5, PATH=BARE_PATH) as home, step("C3. without Node: NODE_MISSING"):
        folder = home.path("work", "scripts")
        os.makedirs(folder)
        write("skaffa.config.mjs", CONFIG)
        home.tenon("up")
        as_person(home, "open", folder, "--trust", "--read")
        with seen(home, folder) as client:
            need(codes(config_now()["diagnostics"]) == ["NODE_MISSING"], f"{config_now()}")


def split(url):
    """Origin and path."""
    origin, _, path = url.removeprefix("http://").partition("/")
    return "http://" + origin, "/" + path


def lane_of(lane, number):
    def step(name):
        return check.Step(f"workbench-managed-{lane}", name)

    why = missing(lane)
    if why:
        check.skipped(f"workbench-managed-{lane}", "everything", why)
        return
    with daemon.Home(port=PORT + number, PATH=NODE + ":" + os.environ["PATH"]) as home:
        shop = copy_of(lane, f"managed-{lane}")
        home.tenon("up")
        trusted_first(step, home, shop)
        before = contents(shop)
        with seen(home, shop) as client:
            session = started(step, home, shop, client)
            instrumented(step, shop, client, session)
            clicked(step, shop, client, session)
            live(step, shop, client, session)
            shared(step, home, shop, client, session)
            ends(step, home, shop, client)
        with step("14. nothing has been made or changed in the project"):
            after = contents(shop)
            need(after == before, f"{[path for path in {**before, **after} if before.get(path) != after.get(path)]}")
        broken(step, home, lane)
        kills(step, home, shop)
    if number == 0:
        without_node(step, shop)


def main():
    if len(sys.argv) < 2 or "commands" in sys.argv[1:]:
        commands()
    if len(sys.argv) < 2 or "scripts" in sys.argv[1:]:
        scripts()
    for number, lane in enumerate(LANES):
        if len(sys.argv) < 2 or lane in sys.argv[1:]:
            lane_of(lane, number)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
