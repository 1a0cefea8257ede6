#!/usr/bin/env python3
"""canvas_runs.py - what a page that has a project open is told of its runs (studio-canvas.md SC-021): by a real daemon,
with two clients, the fake engine, and a real one where there is one."""
import json
import os
import shutil
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import daemon  # noqa: E402
import links  # noqa: E402
import studio  # noqa: E402
from check import Step, need  # noqa: E402
import check  # noqa: E402

FAKE = os.path.abspath(os.path.join(os.path.dirname(__file__), "fake_engine"))
DATA = "builtin/core/data"


class Page(studio.Assistant):
    """A client that follows resources: `told` has the time of each update by its URI."""

    def __init__(self, link):
        self.told = {}
        super().__init__(link)

    def take(self, timeout_s):
        before = len(self.notes)
        super().take(timeout_s)
        for note in self.notes[before:]:
            if note["method"] == "notifications/resources/updated":
                self.told.setdefault(note["params"]["uri"], []).append(time.monotonic())

    def follow(self, uri):
        need("result" in self.ask("resources/subscribe", {"uri": uri}), f"{uri} cannot be followed")

    def read(self, uri):
        answer = self.ask("resources/read", {"uri": uri})
        need("result" in answer, f"{uri}: {answer}")
        return answer["result"]["contents"][0]["text"]

    def wait(self, uri, since, seconds=20):
        """When it was told of `uri` after `since`."""
        end = time.monotonic() + seconds
        while not [at for at in self.told.get(uri, []) if at > since]:
            need(time.monotonic() < end, f"nobody told of {uri}")
            try:
                self.take(0.2)
            except (TimeoutError, links.Lost):
                continue
        return [at for at in self.told[uri] if at > since][0]


def join(home, kind=studio.Assistant):
    return kind(links.Stdio([daemon.TENON, "mcp", "studio"], env=home.env))


def scenario(path, **members):
    with open(os.path.join(path, "fake.json"), "w", encoding="utf-8") as file:
        json.dump(members, file)


def begin(client, name, folder):
    made = client.use("new_project", name=name, directoryPath=folder)["project"]
    alpha = client.add(DATA, label="alpha", properties={"input": "one"})
    return made["id"], made["path"], alpha


def run(client, command, **arguments):
    if command in ("apply", "destroy"):
        arguments["confirmed"] = True
    return client.use("run_terraform", command=command, **arguments)


def runs_uri(project):
    return f"studio://projects/{project}/runs"


def runs_of(page, project):
    return json.loads(page.read(runs_uri(project)))


# ---- a run of somebody else ----


def seen(home):
    """Its start and its end are told within a second, and the list says who, what and how it ended."""
    client, page = join(home), join(home, Page)
    project, path, _ = begin(client, "seen", home.folder)
    page.follow(runs_uri(project))
    need(runs_of(page, project) == [], "a run of nobody")
    run(client, "init")
    scenario(path, gap=0.3)
    before = time.monotonic()
    started = run(client, "plan", waitMs=0)
    check.need_quick(page.wait(runs_uri(project), before) - before, 1, "the start was told")
    listed = runs_of(page, project)
    first = listed[0]
    need([one["command"] for one in listed] == ["plan", "init"], f"newest first: {listed}")
    need(first["runId"] == started["runId"] and first["status"] == "running" and "finishedAt" not in first, f"{first}")
    need(first["actor"]["person"] is False and first["actor"]["name"], f"{first['actor']}")
    need("stale" not in first and "planId" not in first, f"no plan yet: {first}")
    over = client.use("get_run", runId=started["runId"], waitMs=30000)
    ended = time.monotonic()
    page.wait(runs_uri(project), ended - 0.5)
    first = runs_of(page, project)[0]
    need(first["status"] == "finished" and first["success"] and first["planId"] == started["runId"], f"{first}")
    need(first["stale"] is False and first["finishedAt"] > first["startedAt"], f"{first}")
    need(first["summary"] == over["summary"] and first["summary"]["text"] == "1 to add, 0 to change, 0 to destroy", f"{first}")
    scenario(path)
    client.link.close()
    page.link.close()


def lines(home):
    """Every line comes to every page: by the log's updates, and by get_run from a line on; none twice, none missing."""
    client, pages = join(home), [join(home, Page), join(home, Page)]
    project, path, _ = begin(client, "lines", home.folder)
    run(client, "init")
    # Bursts, pauses, long lines, what is no JSON, what is no UTF-8.
    scenario(path, gap=0.05, before={"plan": [f"line {n}" for n in range(40)] + [
        {"text": "x" * 70000}, {"bytes_hex": "fffe41"}, {"text": "on stderr", "stream": "stderr"}]})
    started = run(client, "plan", waitMs=0)
    log = f"studio://runs/{started['runId']}/log"
    got = []

    def follow(page, by_log):
        text, at = "", 1
        page.follow(log)
        while True:
            since = time.monotonic()
            answer = page.use("get_run", runId=started["runId"], logFrom=at)
            text, at = text + answer["log"], answer["nextLine"]
            if answer["status"] != "running":
                break
            if by_log:
                page.wait(log, since - 0.2)
        got.append((text, at, page.read(log)))

    threads = [threading.Thread(target=follow, args=(page, True)) for page in pages]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    over = client.use("get_run", runId=started["runId"])
    need(len(got) == 2, "a page came to no end")
    for text, at, whole in got:
        need(at == over["lines"] + 1, f"{at} of {over['lines']}")
        need(text == whole and whole.count("\n") == over["lines"], f"{text.count(chr(10))} of {over['lines']} lines")
        need([f"line {n}" for n in range(40)] == [one for one in whole.split("\n") if one.startswith("line ")], "order")
    scenario(path)
    for one in (client, *pages):
        one.link.close()


# ---- plans that do not fit any more ----


def stale(home, engine=None):
    """A plan is stale when what would be applied is another, and only then; whoever follows is told."""
    client, page = join(home), join(home, Page)
    project, path, alpha = begin(client, "stale" + (engine or ""), home.folder)
    page.follow(runs_uri(project))
    plan = run(client, "plan")["planId"]

    def flag(of=plan):
        return {one["runId"]: one.get("stale") for one in runs_of(page, project)}[of]

    def after(expected, tool, told=True, **arguments):
        before = time.monotonic()
        client.use(tool, **arguments)
        if told:
            page.wait(runs_uri(project), before)
        need(flag() is expected, f"stale is {flag()} after {tool} {arguments}")

    need(flag() is False, "a new plan")
    after(False, "move_resource", told=False, instanceId=alpha, position={"x": 900, "y": 900})
    after(True, "update_resource", instanceId=alpha, properties={"input": "two"})
    after(False, "undo_change")
    after(False, "set_project_config", told=False, config={"layout": {"direction": "LR"}})
    client.add(DATA, label="beta")
    need(flag() is True, "one more")
    client.use("undo_change")
    need(flag() is False, "and without it")
    with open(os.path.join(path, "terraform/mine.tf"), "w", encoding="utf-8") as file:
        file.write("# mine\n")
    need(flag() is True, "a file of the user's")
    os.unlink(os.path.join(path, "terraform/mine.tf"))
    need(flag() is False, "without it")
    need(run(client, "apply", planId=plan)["success"], "a plan that is not stale can be applied")
    page.wait(runs_uri(project), time.monotonic() - 0.5)
    need(flag() is True, "applied")
    with_marks, without = (client.use("export_diagram", format="svg", options={"overlay": on})["content"] for on in (True, False))
    need(client.use("export_diagram", format="svg")["content"] == with_marks, "a picture has what is deployed")
    need("created" in with_marks and "created" not in without, "SC-182: and without the overlay it has not")
    listed = runs_of(page, project)
    need(listed[0]["command"] == "apply" and listed[0]["planId"] == plan and "stale" not in listed[0], f"{listed[0]}")
    need(client.code_of("run_terraform", command="apply", confirmed=True, planId=plan) == "STALE_PLAN", "the engine agrees")
    need(page.wait(runs_uri(project), 0) > 0, "told")
    other = run(client, "plan")["planId"]
    need(flag(other) is False and flag(plan) is True, "the next one")
    for one in (client, page):
        one.link.close()


def restarted(home):
    """What was run before the daemon began anew is listed, and a plan is as stale as it is."""
    client = join(home)
    project, path, alpha = begin(client, "restarted", home.folder)
    plan, _ = run(client, "plan")["planId"], client.use("save_project")
    client.link.close()
    home.tenon("down")
    home.tenon("up")
    page = join(home, Page)
    page.use("open_project", projectPath=path)
    listed = runs_of(page, project)
    need([(one["runId"], one["stale"], one["actor"]["person"]) for one in listed] == [(plan, False, False)], f"{listed}")
    page.use("update_resource", instanceId=alpha, properties={"input": "other"})
    need(runs_of(page, project)[0]["stale"] is True, "stale")
    page.link.close()


def strangers(home):
    """Another project's runs are not in it; what is no project is not found; a closed one is none."""
    page = join(home, Page)
    one, _, _ = begin(page, "one", home.folder)
    other, path, _ = begin(page, "other", home.folder)
    run(page, "plan")
    need(runs_of(page, one) == [] and len(runs_of(page, other)) == 1, "of another project")
    for wrong in ("", "nothing", "..", "%2e%2e", "prj_" + "a" * 400, path, "current"):
        answer = page.ask("resources/read", {"uri": f"studio://projects/{wrong}/runs"})
        need("error" in answer, f"{wrong}: {answer}")
    page.use("save_project")
    page.follow(runs_uri(other))
    page.use("close_project")
    need("error" in page.ask("resources/read", {"uri": runs_uri(other)}), "a closed one")
    page.link.close()


def which(home, found):
    """SC-110: which engine there is, or how to get one, before anything was run; a call says the same."""
    page = join(home, Page)
    told = json.loads(page.read("studio://engine"))
    if found:
        need(told == {"name": "terraform", "version": "1.11.4", "path": FAKE}, f"{told}")
    else:
        page.use("new_project", name="none", directoryPath=home.folder)
        need(told["error"] == page.code_of("run_terraform", command="plan") == "TERRAFORM_NOT_FOUND", f"{told}")
        need("/no/such/engine" in told["message"] and "terraform.path" in told["message"], f"{told}")
    page.link.close()


def main():
    with daemon.Home(TENON_TERRAFORM=FAKE, TENON_CONSENT="allow") as home:
        home.tenon("up")
        for name, part in (("SC-021 a run of somebody else", seen), ("SC-021 every line to every page", lines),
                           ("SC-021 stale", stale), ("SC-021 after a restart", restarted),
                           ("SC-021 of which project", strangers)):
            with Step("studio-canvas-runs", name):
                part(home)
        with Step("studio-canvas-runs", "SC-110 the engine"):
            which(home, True)
        home.tenon("down", code=None)
    with daemon.Home(TENON_TERRAFORM="/no/such/engine") as home:
        home.tenon("up")
        with Step("studio-canvas-runs", "SC-110 no engine"):
            which(home, False)
        home.tenon("down", code=None)
    for name in ("terraform", "tofu"):
        engine = shutil.which(name)
        if engine:
            with daemon.Home(TENON_TERRAFORM=engine, TENON_CONSENT="allow", CHECKPOINT_DISABLE="1") as home:
                home.tenon("up")
                with Step("studio-canvas-runs", f"SC-021 stale, with {name}"):
                    stale(home, name)
                home.tenon("down", code=None)
    return 1 if check.failures else 0


sys.exit(main())
