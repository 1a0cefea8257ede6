#!/usr/bin/env python3
"""save.py - drafts into the source (workbench.md section 14; workbench-demo.md section 7, 13 and 27 without a browser): the plan
is read by assistants, and a person alone carries it out; what a hostile page says of places writes nothing."""
import hashlib
import json
import os
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
from core import Follower, Seer, as_page, as_person, copy_demo, refused  # noqa: E402
from preview import ROOT, Adapter, block_of, fetch, served, session_of, start, until  # noqa: E402

PLAN = "workspace/overrides/save-plan"
EMPTY = {"edits": [], "failures": [], "diff": "", "files": []}


def step(name):
    return check.Step("workbench-save", name)


def save(home, *words, code=0):
    return as_person(home, "save", *words, json.loads(as_person(home, "status", "--json"))[0]["id"], code=code)


def read(shop, path):
    with open(os.path.join(shop, path), "rb") as file:
        return file.read()


def site(shop, file, name, ordinal=0):
    """The locator of the element below a marker, as an adapter says it."""
    lines = read(shop, file).decode().split("\n")
    line = next(i for i, text in enumerate(lines) if f"@site:{name} " in text) + 2
    column = lines[line - 1].index("<") + 1
    return {"kind": "jsxSite", "file": file, "line": line, "column": column, "ordinal": ordinal}


def draft(instance, path, value, locator, of="ui.button"):
    one = {"instanceId": instance, "path": path, "value": value, "componentTypeId": of}
    return {**one, "instanceLocator": locator} if locator else one


def put(client, shop, *drafts):
    """As somebody who edits the file of drafts."""
    os.makedirs(os.path.join(shop, ".skaffa"), exist_ok=True)
    path = os.path.join(shop, ".skaffa", "overrides.v0.json")
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump({"schemaVersion": "v0", "updatedAt": "2026-01-31T08:44:40.000Z", "app": {"overrides": list(drafts)}}, file)
    os.rename(path + ".new", path)
    wanted = sorted((one["instanceId"], one["path"], json.dumps(one["value"])) for one in drafts)
    until(lambda: sorted((one["instanceId"], one["path"], json.dumps(one["value"]))
                         for one in client.data("workspace/overrides")["overrides"]) == wanted, "the drafts of the file")


def failures(plan):
    return {one["address"]["instanceId"]: one["code"] for one in plan["failures"]}


def plans(client, shop):
    with step("13. the save plan on the sources with hand-made locators"):
        need(client.data(PLAN) == EMPTY, f"{client.data(PLAN)}")
        home, item = "src/pages/Home.tsx", "src/pages/Item.tsx"
        put(client, shop, draft("order", "/label", "Buy now", site(shop, home, "order")),
            draft("order", "/size", "lg", site(shop, home, "order")),
            draft("computed", "/label", "x", site(shop, item, "computed")),
            draft("spread", "/label", "x", site(shop, item, "spread")),
            draft("shorthand", "/disabled", False, site(shop, item, "shorthand")),
            draft("loaf0", "/label", "A", site(shop, home, "loaf")), draft("loaf1", "/label", "B", site(shop, home, "loaf", 1)),
            draft("nowhere", "/label", "x", None))
        envelope = client.see(PLAN)
        plan = envelope["data"]
        need(failures(plan) == {"computed": "unsupportedPattern", "spread": "unsupportedPattern", "loaf0": "unpromotable",
                                "loaf1": "unpromotable", "nowhere": "unpromotable"}, f"{plan['failures']}")
        need([(one["filePath"], [edit["newText"] for edit in one["edits"]]) for one in plan["edits"]] ==
             [(home, ['"Buy now"', ' size="lg"']), (item, ["={false}"])], f"{plan['edits']}")
        need(plan["files"] == [{"filePath": path, "sha256": hashlib.sha256(read(shop, path)).hexdigest()}
                               for path in (home, item)], f"{plan['files']}")
        need(envelope["untrusted"], "what a page may have said is marked")
        need(client.use("workbench_read_state", uri="skaffa://" + PLAN)["data"] == plan, "the tool says the same")
        patched = subprocess.run(["patch", "-p1", "--dry-run", "-d", shop], input=plan["diff"], text=True, capture_output=True,
                                 timeout=20)
        need(patched.returncode == 0, f"{patched.stdout} {plan['diff']}")


def all_or_nothing(home, client, shop):
    before = {path: read(shop, path) for path in ("src/pages/Home.tsx", "src/pages/Item.tsx")}
    with step("a person alone saves; one that cannot be written keeps all from being written (D2)"):
        need("workbench_save" not in [tool["name"] for tool in client.ask("tools/list")["result"]["tools"]], "listed for clients")
        need("-32602" in refused(client, "workbench_save") or "DENIED" in refused(client, "workbench_save"), "called by a client")
        shown = save(home, "--dry-run")
        need('+            <Button label="Buy now"' in shown and "unsupportedPattern" in shown, shown)
        said = save(home, code=5)
        need("not every draft can be written" in said, said)
        need({path: read(shop, path) for path in before} == before, "nothing is written")
        need(len(client.data("workspace/overrides")["overrides"]) == 8, "no draft is gone")
    return before


def saves(home, client, shop, before):
    with step("27. saved: the literals alone have changed, the drafts are cleared, who follows is told"):
        follower = Follower(client, ["workspace/overrides", PLAN])
        said = save(home, "--partial")
        need("src/pages/Home.tsx" in said and "3 drafts saved." in said and "(unpromotable)" in said, said)
        text = before["src/pages/Home.tsx"].replace(b'label="Order now"', b'label="Buy now"', 1)
        after = read(shop, "src/pages/Home.tsx")
        need(after.replace(b' size="lg"', b"", 1) == text and b' size="lg"' in after, after.decode())
        need(read(shop, "src/pages/Item.tsx").count(b"disabled={false}") == 1, "shorthand")
        left = {one["instanceId"] for one in client.data("workspace/overrides")["overrides"]}
        need(left == {"computed", "spread", "loaf0", "loaf1", "nowhere"}, f"{left}")
        heard = follower.heard(5, PLAN)
        need(PLAN in heard, f"{heard}")
        need(not [name for name in os.listdir(shop) if name.startswith(".tenon")], "nothing is left")
    with step("what the source says already is no edit, and its draft is cleared"):
        put(client, shop, draft("order", "/label", "Buy now", site(shop, "src/pages/Home.tsx", "order")))
        need(client.data(PLAN)["edits"] == [] and client.data(PLAN)["failures"] == [], f"{client.data(PLAN)}")
        need("1 draft saved." in save(home), "cleared")
        need(read(shop, "src/pages/Home.tsx") == after and client.data("workspace/overrides")["overrides"] == [], "as it was")
        need(client.data(PLAN) == EMPTY, "an empty plan")


def follows_the_source(client, shop):
    with step("the plan follows the files: who follows it is told, a line above, and the place is gone (N3)"):
        place = site(shop, "src/pages/Home.tsx", "order")
        put(client, shop, draft("order", "/label", "Other", place))
        need(len(client.data(PLAN)["edits"]) == 1, "an edit")
        follower = Follower(client, [PLAN])
        follower.heard(0.7)
        text = read(shop, "src/pages/Home.tsx")
        with open(os.path.join(shop, "src/pages/Home.tsx"), "wb") as file:
            file.write(b"// one line more\n" + text)
        need(PLAN in follower.heard(5, PLAN), "told")
        need(failures(client.data(PLAN)) == {"order": "notFound"}, f"{client.data(PLAN)}")
        with open(os.path.join(shop, "src/pages/Home.tsx"), "wb") as file:
            file.write(text)
        until(lambda: len(client.data(PLAN)["edits"]) == 1, "an edit again")
        follower.heard(0.7)
        with open(os.path.join(shop, "src/pages/About.tsx"), "ab") as file:
            file.write(b"\n// elsewhere\n")
        need(PLAN not in follower.heard(1.5, PLAN), "told of what is none of its business")


def undoes(home, client, shop):
    with step("save and undo restore files and drafts; what was changed since is not overwritten"):
        names = ["src/pages/Home.tsx", "src/pages/Item.tsx"]
        before = {path: read(shop, path) for path in names}
        put(client, shop, draft("order", "/label", 'Say "hi" 🍞', site(shop, names[0], "order")),
            draft("order", "/size", "sm", site(shop, names[0], "order")),
            draft("shorthand", "/label", "Sold", site(shop, names[1], "shorthand")))
        drafts = client.data("workspace/overrides")["overrides"]
        need("3 drafts saved." in save(home), "saved")
        after = {path: read(shop, path) for path in names}
        need(all(before[path] != after[path] for path in names), "changed")
        need("taken back" in save(home, "--undo"), "undone")
        need({path: read(shop, path) for path in names} == before, "every byte")
        need(client.data("workspace/overrides")["overrides"] == drafts, f"{client.data('workspace/overrides')}")
        need("nothing was saved" in save(home, "--undo", code=5), "once")
        need("3 drafts saved." in save(home), "again")
        need({path: read(shop, path) for path in names} == after, "the same again")
        with open(os.path.join(shop, names[1]), "ab") as file:
            file.write(b"// mine\n")
        need("changed since" in save(home, "--undo", code=5), "a conflict")
        need(read(shop, names[0]) == after[names[0]] and read(shop, names[1]) == after[names[1]] + b"// mine\n", "nothing")
        with open(os.path.join(shop, names[1]), "wb") as file:
            file.write(after[names[1]])
        need("taken back" in save(home, "--undo"), "and then it can be")
        put(client, shop)


def one_field(home, client, shop):
    with step("one draft is tried, and saved, alone (D6, section 19)"), as_page(home) as page:
        put(client, shop, draft("order", "/label", "One", site(shop, "src/pages/Home.tsx", "order")),
            draft("computed", "/label", "x", site(shop, "src/pages/Item.tsx", "computed")))
        before = read(shop, "src/pages/Home.tsx")
        tried = page.use("workbench_save", dryRun=True, only={"instanceId": "order", "path": "/label"})
        need(tried["ok"] and not tried["failures"] and len(tried["edits"]) == 1 and tried["diff"], f"{tried}")
        tried = page.use("workbench_save", dryRun=True, only={"instanceId": "computed", "path": "/label"})
        need(tried["ok"] and not tried["edits"] and tried["failures"][0]["code"] == "unsupportedPattern", f"{tried}")
        need(read(shop, "src/pages/Home.tsx") == before, "nothing is written")
        none = page.use("workbench_save", dryRun=True, only={"instanceId": "nobody", "path": "/label"})
        need(not none["edits"] and not none["failures"], f"{none}")
        saved = page.use("workbench_save", only={"instanceId": "order", "path": "/label"})
        need(saved["ok"] and saved["appliedCount"] == 1 and saved["failed"] == [], f"{saved}")
        need([one["filePath"] for one in saved["files"]] == ["src/pages/Home.tsx"], f"{saved}")
        need([one["instanceId"] for one in client.data("workspace/overrides")["overrides"]] == ["computed"], "the other stays")
        need("validation_failed" in refused(page, "workbench_save"), "all or none")


def closes(home, client, shop):
    with step("a folder that is closed while its plan is made and its drafts are saved: every call is answered"), as_page(home) as page:
        put(client, shop, draft("order", "/label", "Close", site(shop, "src/pages/Home.tsx", "order")))
        reads = [client.send("resources/read", uri="skaffa://" + PLAN) for _ in range(20)]
        saving = page.send("tools/call", name="workbench_save", arguments={})
        page.use("workbench_close_workspace")
        page.finish(saving)
        for number in reads:
            need("result" in client.finish(number), "a read")
        text = read(shop, "src/pages/Home.tsx")
        as_person(home, "open", shop, "--read")
        left = client.data("workspace/overrides")["overrides"]
        need(b'label="Close"' in text or left, f"neither saved nor a draft: {left}")
        put(client, shop)


def forbidden(home, client, shop):
    with step("guardrails.allowSave closes saving, and leaves the plan"), as_page(home) as page:
        path = os.path.join(shop, "skaffa.config.json")
        with open(path, encoding="utf-8") as file:
            config = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(config.replace('"guardrails": {', '"guardrails": {"allowSave": false, '))
        until(lambda: client.data("workspace/config")["config"]["guardrails"]["allowSave"] is False, "the rule")
        before = read(shop, "src/pages/Home.tsx")
        put(client, shop, draft("order", "/label", "Never", site(shop, "src/pages/Home.tsx", "order")))
        need(len(client.data(PLAN)["edits"]) == 1, "the plan")
        need("forbidden_by_policy" in refused(page, "workbench_save"), "saving")
        need(read(shop, "src/pages/Home.tsx") == before, "nothing is written")


def hostile_places(home, client, shop):
    with step("a locator that lies: of another file, one outside, others' code, one that is read-only, line 2^40, a pipe"):
        outside = home.path("work", "outside.tsx")
        source = read(shop, "src/pages/Home.tsx")
        with open(outside, "wb") as file:
            file.write(source)
        os.makedirs(os.path.join(shop, "node_modules/kit"), exist_ok=True)
        for path in ("node_modules/kit/Home.tsx", "src/pages/Fixed.tsx"):
            with open(os.path.join(shop, path), "wb") as file:
                file.write(source)
        os.symlink(outside, os.path.join(shop, "src/pages/Linked.tsx"))
        os.mkfifo(os.path.join(shop, "src/pages/Pipe.tsx"))
        with open(os.path.join(shop, "src/pages/Large.tsx"), "wb") as file:
            file.truncate(100 << 20)
        path = os.path.join(shop, "skaffa.config.json")
        with open(path, encoding="utf-8") as file:
            config = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(config.rstrip()[:-1].rstrip().rstrip(",") + ',\n "guardrails": {"readOnlyFiles": ["**/Fixed.tsx"]}}\n')
        until(lambda: client.data("workspace/config")["config"]["guardrails"]["readOnlyFiles"], "the rule")
        right = site(shop, "src/pages/Home.tsx", "order")
        lies = [{**right, "file": path} for path in
                ("src/pages/Menu.tsx", "src/pages/Linked.tsx", "src/pages/Pipe.tsx", "src/pages/Large.tsx", "src/pages/Fixed.tsx",
                 "node_modules/kit/Home.tsx", "../outside.tsx", outside, "src/pages/../../../outside.tsx", ".skaffa/x.tsx",
                 "src/pages/None.tsx", "src/index.css", "")]
        lies += [{**right, "line": line} for line in (1 << 40, 0, -1, 1.5, "7", None)]
        lies += [{**right, "column": right["column"] + 1}, {**right, "ordinal": 7}, {"kind": "jsxSite"}, [], "x", 7]
        put(client, shop, *[draft(f"lie{i}", "/label", "hacked", lie) for i, lie in enumerate(lies)])
        plan = client.data(PLAN)
        need(len(plan["failures"]) == len(lies) and not plan["edits"] and not plan["diff"], f"{plan['failures']}")
        need("0 drafts saved." in save(home, "--partial"), "none")
        for path in (outside, os.path.join(shop, "node_modules/kit/Home.tsx"), os.path.join(shop, "src/pages/Fixed.tsx"),
                     os.path.join(shop, "src/pages/Home.tsx")):
            with open(path, "rb") as file:
                need(file.read() == source, path)


def instances(home, client, shop, port):
    with step("D5: what lives several times is written when all of them carry the value"):
        put(client, shop)
        started = start(home, port)
        adapter = Adapter(block_of(fetch(started["url"].rstrip("/"))[1]))
        adapter.ready()
        until(lambda: session_of(client, started)["state"] == "ready", "ready")
        places = [site(shop, "src/pages/Home.tsx", "loaf", i) for i in range(3)]
        name = "tone"
        adapter.say("runtime.instances", full=True, remove=[], upsert=[
            {"instanceId": f"loaf{i}", "componentTypeId": "ui.button", "props": {name: "quiet"}, "instanceLocator": place}
            for i, place in enumerate(places)])
        until(lambda: client.see(f"preview/sessions/{started['sessionId']}/instances")["data"]["instances"], "instances")
        put(client, shop, *[draft(f"loaf{i}", "/" + name, "primary", places[i]) for i in range(2)])
        until(lambda: failures(client.data(PLAN)) == {"loaf0": "unpromotable", "loaf1": "unpromotable"}, "one carries another")
        put(client, shop, *[draft(f"loaf{i}", "/" + name, "primary", places[i]) for i in range(3)])
        plan = client.data(PLAN)
        need(not plan["failures"] and [len(edit["addresses"]) for one in plan["edits"] for edit in one["edits"]] == [3], f"{plan}")
        need("3 drafts saved." in save(home), "saved")
        cleared = adapter.hear("host.applyOverrides")
        need({op["op"] for op in cleared["ops"]} == {"clear"} and len(cleared["ops"]) == 3, f"{cleared}")
        adapter.end()


def conflicts(home, client, shop):
    with step("a file that somebody changes while it is saved is never lost, and never mixed"):
        path = os.path.join(shop, "src/pages/Home.tsx")
        place = site(shop, "src/pages/Home.tsx", "order")
        text = read(shop, "src/pages/Home.tsx")
        for turn in range(8):
            put(client, shop, draft("order", "/label", f"Turn {turn}", place))
            mine = text + f"// mine {turn}\n".encode()
            with open(path + ".mine", "wb") as file:
                file.write(mine)
            os.rename(path + ".mine", path)
            save(home)
            now = read(shop, "src/pages/Home.tsx")
            need(f"// mine {turn}".encode() in now and f'label="Turn {turn}"'.encode() in now, now.decode())


def killed(home, client_of, shop):
    with step("a daemon that is killed while it saves: all files or none, and the next one tidies up"):
        seen, took = set(), 0.3
        for turn in range(20):
            with client_of() as client:
                as_person(home, "open", shop, "--read")
                names = [f"src/pages/{page}.tsx" for page in ("Home", "Item")]
                before = {path: read(shop, path) for path in names}
                put(client, shop, draft("a", "/label", f"Kill {turn}", site(shop, names[0], "order")),
                    draft("b", "/disabled", turn % 2 == 0, site(shop, names[1], "shorthand")))
                plan = client.data(PLAN)
                need(not plan["failures"], f"{plan}")
                pid = json.loads(home.tenon("status", "--json").stdout)["pid"]
                began = time.monotonic()
                killer = threading.Timer(took * (0.5 + 0.04 * turn) if turn else 20, os.kill, (pid, 9))
                killer.start()
                try:
                    save(home)
                    took = time.monotonic() - began if not turn else took
                except AssertionError:
                    pass  # it was killed before it answered
                if turn:
                    killer.join()
                killer.cancel()
            home.tenon("up")
            as_person(home, "open", shop, "--read")
            changed = {path for path in names if read(shop, path) != before[path]}
            expected = {one["filePath"] for one in plan["edits"]}
            need(changed in (set(), expected), f"{changed} of {expected}")
            seen.add(len(changed))
            left = [name for folder in (shop, os.path.join(shop, "src/pages")) for name in os.listdir(folder) if ".tenon" in name]
            need(not left, f"{left}")
        print(f"# files changed by a killed save: {seen}")


def main():
    with daemon.Home(port=18511) as home, served(os.path.join(ROOT, "demo/plain")) as port:
        shop = copy_demo(home)
        home.tenon("up")
        with Seer(links.Stdio([daemon.TENON, "mcp", "workbench"], home.env, folder=shop)) as client:
            as_person(home, "open", shop, "--read")
            plans(client, shop)
            before = all_or_nothing(home, client, shop)
            saves(home, client, shop, before)
            follows_the_source(client, shop)
            conflicts(home, client, shop)
            instances(home, client, shop, port)
            undoes(home, client, shop)
            one_field(home, client, shop)
            closes(home, client, shop)
            hostile_places(home, client, shop)
            forbidden(home, client, shop)
    with daemon.Home(port=18512) as home:
        shop = copy_demo(home)
        home.tenon("up")
        killed(home, lambda: Seer(links.Stdio([daemon.TENON, "mcp", "workbench"], home.env, folder=shop)), shop)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
