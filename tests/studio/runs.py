#!/usr/bin/env python3
"""runs.py - terraform, run by the studio (studio.md section 9): with the fake engine through a process and a
daemon, and the whole cycle with a real one where there is one (ST-151)."""
import json
import os
import shutil
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import daemon  # noqa: E402
import links  # noqa: E402
import studio  # noqa: E402
from check import Step, need  # noqa: E402
import check  # noqa: E402

FAKE = os.path.abspath(os.path.join(os.path.dirname(__file__), "fake_engine"))
DATA = "builtin/core/data"
GUARD = "changes real infrastructure. Repeat with confirmed: true after the user agreed."
CANARY = "c4nary-Pa55w0rd!"


def scenario(project, **members):
    with open(os.path.join(project, "fake.json"), "w", encoding="utf-8") as file:
        json.dump(members, file)


def begin(client, name="shop", folder=None):
    """A project with two terraform_data nodes, `beta` of which takes what `alpha` has; its folder."""
    made = client.use("new_project", name=name, directoryPath=folder)
    alpha = client.add(DATA, label="alpha", properties={"input": "one"})
    beta = client.add(DATA, label="beta", references={"source": alpha})
    return made["project"]["path"], alpha, beta


def run(client, command, **arguments):
    if command in ("apply", "destroy"):
        arguments.setdefault("confirmed", True)
    return client.use("run_terraform", command=command, **arguments)


def progress(client):
    found = [note["params"] for note in client.notes if note["method"] == "notifications/progress"]
    client.notes = [note for note in client.notes if note["method"] != "notifications/progress"]
    return found


def log_of(client, run_id):
    answer = client.ask("resources/read", {"uri": f"studio://runs/{run_id}/log"})
    return answer["result"]["contents"][0]["text"]


# ---- the guard ----


def guard(place):
    """FR-23, ST-080, US-06: every spelling of not-true, before anything else is looked at."""
    spellings = [{}] + [{"confirmed": value} for value in
                        (False, None, "true", "TRUE", "yes", 1, 0, 1.0, [], [True], {}, {"confirmed": True})]
    for command in ("apply", "destroy"):
        for spelling in spellings:
            # No project is open, the engine does not exist, and other arguments are wrong, too.
            for more in ({}, {"project": "/no/such"}, {"nonsense": 1}):
                answer = place.client.ask("tools/call", {
                    "name": "run_terraform", "arguments": {"command": command, **spelling, **more}})["result"]
                expected = {"error": "CONFIRMATION_REQUIRED", "message": f"{command} {GUARD}"}
                need(answer["isError"] is True and answer["structuredContent"] == expected, f"{spelling}: {answer}")
                need(answer["content"] == [{"type": "text", "text": json.dumps(expected, separators=(",", ":"))}],
                     f"{answer['content']}")
    need(place.client.code_of("run_terraform", command="plan", confirmed="x") == "INVALID_INPUT", "a faulty plan")
    need(place.client.code_of("run_terraform", command="apply", confirmed=True) == "NO_PROJECT", "no project")


def missing_engine():
    """US-02: a descriptive error."""
    with studio.Served(env={"TENON_TERRAFORM": "/no/such/terraform"}) as place:
        begin(place.client, folder=place.folder)
        try:
            run(place.client, "plan")
            raise AssertionError("it ran")
        except studio.Fault as fault:
            need(fault.code == "TERRAFORM_NOT_FOUND", fault.code)
            need("/no/such/terraform" in str(fault) and "terraform.path" in str(fault), str(fault))


def unasked():
    """ST-081: without a canvas, elicitation or a policy nobody can say yes."""
    with studio.Served(env={"TENON_TERRAFORM": FAKE}) as place:
        place.link.close()
        del place.env["TENON_CONSENT"]
        place.link = links.Stdio([daemon.TENON, "serve", "studio"], env=place.env, errors=place.errors)
        place.client = Mute(place.link)
        path, _, _ = begin(place.client, folder=place.folder)
        try:
            run(place.client, "apply")
            raise AssertionError("it was applied")
        except studio.Fault as fault:
            need(fault.code == "CONSENT_UNAVAILABLE" and "TENON_CONSENT" in str(fault), str(fault))
        need(not os.path.exists(os.path.join(path, "terraform/terraform.tfstate")), "something was applied")
        need(run(place.client, "plan")["success"], "a plan needs nobody")


class Mute(studio.Assistant):
    """A client that cannot ask its user."""

    def hello(self):
        self.capabilities = {}
        return super().hello()


# ---- lines ----


def streaming(place):
    """FR-24, ST-086: N lines, N notifications in order and in time, then the result."""
    client = place.client
    path, _, _ = begin(client, folder=place.folder)
    need(run(client, "init")["success"], "init")
    scenario(path, gap=0.15, before={"plan": ["first", {"text": "on stderr", "stream": "stderr"}]})
    progress(client)
    number = client.start("tools/call", {"name": "run_terraform", "arguments": {"command": "plan"},
                                         "_meta": {"progressToken": "p1"}})
    times = []
    while number not in client.answers:
        before = len(client.notes)
        client.take(30)
        times += [time.monotonic()] * (len(client.notes) - before)
    result = client.end(number)
    lines = progress(client)
    need(len(lines) == result["lines"] >= 6, f"{len(lines)} of {result['lines']}")
    need([line["progress"] for line in lines] == list(range(1, len(lines) + 1)), "order")
    need(all("total" not in line and line["progressToken"] == "p1" for line in lines), "total")
    need(lines[0]["message"] == "first", f"{lines[0]}")
    need(lines[0]["_meta"] == {"line": "first", "stream": "stdout", "runId": result["runId"], "level": "info"},
         f"{lines[0]['_meta']}")
    need(lines[1]["_meta"]["stream"] == "stderr" or lines[2]["_meta"]["stream"] == "stderr", "stderr")
    # Each came when it was written, and not all of them at the end.
    need(times[-1] - times[0] > 0.15 * (len(times) - 3), f"{times[-1] - times[0]:.2f} s for {len(times)} lines")
    need(log_of(client, result["runId"]).count("\n") == result["lines"], "the log")
    need(result["exitCode"] == 0 and result["success"] and result["summary"]["add"] == 2, f"{result['summary']}")
    need(result["planId"] == result["runId"], "planId")


def long_log(place):
    """ST-087: who reads ten megabytes of a log holds up nobody else."""
    client = place.client
    path, _, _ = begin(client, "long", folder=place.folder)
    need(run(client, "init")["success"], "init")
    scenario(path, before={"plan": [{"text": "what is said again and again\n" * 30000, "repeat": 10}]})
    result = run(client, "plan")
    need(result["success"] and result["lines"] > 300000, f"{result['lines']}")
    for _ in range(3):
        log, ping = client.start("resources/read", {"uri": result["logUri"]}), client.start("ping")
        while log not in client.answers and ping not in client.answers:
            client.take(30)
        need(ping in client.answers, "the log was read before anything else was answered")
        client.finish(ping)
        text = client.finish(log)["result"]["contents"][0]["text"]
        need(" lines left out]" in text and len(text) > 2 * 1024 * 1024, f"{len(text)}")
    client.use("close_project", discard=True)


def tool_results(place):
    """9.5, ST-083, ST-091, ST-100, FR-25: plan, look at it, apply exactly that, and see what exists."""
    client = place.client
    path, alpha, beta = begin(client, "cycle", place.folder)
    plan = run(client, "plan")
    changes = {change["address"]: change for change in plan["resourceChanges"]}
    need(changes["terraform_data.alpha"]["instanceId"] == alpha, f"{changes}")
    shown = client.use("get_plan")
    need(shown["runId"] == plan["runId"] and {one["instanceId"] for one in shown["changes"]} == {alpha, beta}, "get_plan")
    need("hunter" not in json.dumps(shown), "sensitive values are masked")
    need(any(one["after"] == "(known after apply)" for change in shown["changes"] for one in change["attributes"]), "unknown")
    need(shown["explanation"].startswith("Summary: 2 changes"), shown["explanation"])
    statuses = client.use("get_deployment_status")["statuses"]
    need(set(statuses.values()) == {"pending"}, f"a plan changes no status: {statuses}")
    applied = run(client, "apply", planId=plan["planId"])
    need(applied["success"] and applied["summary"]["text"] == "2 added, 0 changed, 0 destroyed", f"{applied}")
    status = client.use("get_deployment_status", detail=True)
    need(status["statuses"] == {alpha: "created", beta: "created"}, f"{status['statuses']}")
    need(status["details"][alpha]["changed"] is False and status["lastRun"]["runId"] == applied["runId"], f"{status}")
    need(client.code_of("run_terraform", command="apply", confirmed=True, planId=plan["planId"]) == "STALE_PLAN", "stale")
    client.use("update_resource", instanceId=alpha, properties={"input": "two"})
    need(client.use("get_deployment_status", detail=True)["details"][alpha]["changed"] is True, "ST-101")
    need(client.use("get_run")["runId"] == applied["runId"], "the last run")
    need(client.use("get_run", logFrom=1)["log"].count("\n") == applied["lines"], "its log")
    os.unlink(os.path.join(path, "terraform/terraform.tfstate"))
    need(client.use("get_deployment_status", refresh=True)["statuses"][alpha] == "pending", "refresh")
    need(client.code_of("get_run", runId="run_nobody") == "NOT_FOUND", "an unknown run")


def waiting(place):
    """waitMs, get_run, cancel_run; one run at a time (ST-084); a project in which something runs stays open."""
    client = place.client
    path, _, _ = begin(client, "waiting", place.folder)
    run(client, "init")
    scenario(path, gap=0.3, cleanup=0.2)
    started = run(client, "apply", waitMs=200)
    need(started["status"] == "running" and "exitCode" not in started, f"{started}")
    need(client.code_of("run_terraform", command="plan") == "RUN_IN_PROGRESS", "two at once")
    need(client.code_of("close_project", discard=True) == "RUN_IN_PROGRESS", "closed")
    daemon.wait_until(lambda: client.use("get_run", runId=started["runId"])["lines"] > 1, "a line")
    stopped = client.use("cancel_run", runId=started["runId"])
    need(stopped["stopping"] and "force" in stopped["warning"], f"{stopped}")
    over = client.use("get_run", runId=started["runId"], waitMs=20000)
    need(over["status"] == "cancelled" and over["exitCode"] == 1, f"{over}")
    need("Interrupt received." in log_of(client, started["runId"]), "it ended cleanly")


def cancelled(place):
    """9.6: cancelling the request is a SIGINT, for an apply too, which then ends by itself."""
    client = place.client
    path, _, _ = begin(client, "cancelled", place.folder)
    run(client, "init")
    scenario(path, gap=0.3, cleanup=0.3)
    for command in ("plan", "apply"):
        number = client.begin("run_terraform", command=command, **({"confirmed": True} if command == "apply" else {}))
        daemon.wait_until(lambda command=command: client.use("get_run")["command"] == command
                          and client.use("get_run")["lines"] > 1, "a line")
        client.notify("notifications/cancelled", {"requestId": number})
        over = client.use("get_run", waitMs=20000)
        need(over["command"] == command and over["status"] == "cancelled", f"{over}")


def hidden(place):
    """ST-029, ST-087, ST-141: a value that is secret is the engine's and nobody else's."""
    client = place.client
    path, _, _ = begin(client, "hidden", place.folder)
    group = client.add("azurerm/core/resource_group", properties={"name": "rg", "location": "westeurope"})
    server = client.use("add_resource", typeId="azurerm/database/mssql_server", parentId=group, label="sql",
                        properties={"name": "sql-canary-1", "administrator_login": "adm",
                                    "administrator_login_password": CANARY})
    name = f"TF_VAR_{server['terraformName']}_administrator_login_password"
    run(client, "init")
    scenario(path, echo={"plan": [name]}, before={"plan": [f"in the middle {CANARY} of a line"]},
             diagnostics={"plan": [{"severity": "error", "summary": f"bad {CANARY}", "detail": f"x\n{CANARY}\ny"}]})
    progress(client)
    number = client.start("tools/call", {"name": "run_terraform", "arguments": {"command": "plan", "force": True},
                                         "_meta": {"progressToken": 7}})
    result = client.end(number)
    said = json.dumps(result) + json.dumps(progress(client)) + log_of(client, result["runId"])
    need(f"{name}=[redacted]" in said and "in the middle [redacted] of a line" in said, said[:300])
    need(result["diagnostics"][0]["summary"] == "bad [redacted]", f"{result['diagnostics']}")
    need(CANARY not in said, "the secret is in an answer")
    for folder, _, names in os.walk(path):
        for one in names:
            with open(os.path.join(folder, one), encoding="utf-8", errors="replace") as file:
                need(CANARY not in file.read() or one in ("secrets.json", "fake.json"), f"the secret is in {one}")


def halfway(place):
    """ST-101: of an apply that failed, what is done is deployed as it was to be; what is not differs."""
    client = place.client
    path, alpha, _ = begin(client, "halfway", place.folder)
    gamma = client.add(DATA, label="gamma", properties={"input": "one"})
    run(client, "init")
    need(run(client, "apply")["success"], "all of it")
    for one in (alpha, gamma):
        client.use("update_resource", instanceId=one, properties={"input": "changed"})
    scenario(path, fail={"terraform_data.gamma": {"how": "error", "summary": "no"}})
    need(run(client, "apply")["success"] is False, "it fails")
    details = client.use("get_deployment_status", detail=True)["details"]
    need((details[alpha]["changed"], details[gamma]["changed"]) == (False, True), f"{details}")
    client.use("update_resource", instanceId=alpha, properties={"input": "again"})
    need(client.use("get_deployment_status", detail=True)["details"][alpha]["changed"] is True, "changed since")


# ---- the daemon ----


def join(home):
    return studio.Assistant(links.Stdio([daemon.TENON, "mcp", "studio"], env=home.env))


def leaving(home):
    """9.6: who goes away ends a plan, not an apply."""
    client = join(home)
    path, alpha, _ = begin(client, "leaving", home.folder)
    run(client, "init")
    scenario(path, gap=0.3)
    for command, ends in (("plan", "cancelled"), ("apply", "finished")):
        other = join(home)
        other.begin("run_terraform", command=command, **({"confirmed": True} if command == "apply" else {}))
        daemon.wait_until(lambda command=command: client.use("get_run")["command"] == command
                          and client.use("get_run")["lines"] > 1, "a line")
        other.link.process.kill()  # it says nothing
        other.link.process.wait()
        over = client.use("get_run", waitMs=30000)
        need(over["command"] == command and over["status"] == ends, f"{command}: {over['status']}")
    need(client.use("get_deployment_status")["statuses"][alpha] == "created", "what was applied")
    client.link.close()


def killed(home):
    """A daemon that is killed takes a plan with it; an apply goes on, and is lost."""
    client = join(home)
    path, alpha, _ = begin(client, "killed", home.folder)
    client.use("save_project")
    run(client, "init")
    scenario(path, gap=0.5)
    started = run(client, "apply", waitMs=1500)
    need(started["status"] == "running", f"{started}")
    pid = home.discovery()["pid"]
    engines = engines_of(path)
    need(len(engines) == 1, f"{engines}")
    os.kill(pid, signal.SIGKILL)
    daemon.wait_until(lambda: not daemon.is_alive(pid), "its end")
    time.sleep(0.3)
    need(engines_of(path) == engines, "the engine was killed with the daemon")
    daemon.wait_until(lambda: not processes_of(path), "the engine's own end, and that of who watched it")
    client.link.close()
    output = os.path.join(path, ".tenon/runs", started["runId"], "stdout")
    with open(output, encoding="utf-8") as file:
        said = [json.loads(line)["@message"] for line in file]
    home.tenon("up")
    client = join(home)
    client.use("open_project", projectPath=path)
    daemon.wait_until(lambda: not os.path.exists(output), "what it wrote to nobody, in the log")
    lost = client.use("get_run", runId=started["runId"])
    need(lost["status"] == "lost", "lost")
    # What it said before, and what it said to nobody: each line once, and the last one, too.
    heard = log_of(client, started["runId"]).splitlines()
    need(len(said) > 3 and heard[-len(said):] == said, f"the log ends before its engine did: {heard}, {said}")
    need(lost["lines"] == len(heard) and lost["durationMs"] > 1000, f"{lost}")
    half = client.use("get_run", runId=started["runId"], logFrom=len(heard))
    need(half["log"] == heard[-1] + "\n" and half["nextLine"] == len(heard) + 1, f"{half}")
    daemon.wait_until(lambda: client.use("get_deployment_status", refresh=True)["statuses"][alpha] == "created", "the truth")
    scenario(path, hang={"plan": True})
    need(run(client, "plan", waitMs=1500)["status"] == "running", "a plan")
    pid = home.discovery()["pid"]
    os.kill(pid, signal.SIGKILL)
    daemon.wait_until(lambda: not processes_of(path), "a plan's end with its daemon, and that of who watched it")
    client.link.close()
    home.tenon("up")


def is_watcher(pid):
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
            return file.read().strip() == "tenon-confine"
    except OSError:  # it has ended
        return True


def engines_of(project):
    """Processes of the fake engine that run in the project; who watches them is none."""
    return [pid for pid in processes_of(project) if not is_watcher(pid)]


def processes_of(project):
    """All that run in the project, those who watch, too."""
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.readlink(f"/proc/{name}/cwd") == os.path.join(project, "terraform") \
                    and daemon.is_alive(int(name)):
                found.append(int(name))
        except OSError:
            continue
    return found


def stopping(home):
    """FR-07: a daemon that stops waits for an apply, which it interrupts."""
    client = join(home)
    path, _, _ = begin(client, "stopping", home.folder)
    client.use("save_project")
    run(client, "init")
    scenario(path, gap=0.3, cleanup=1)
    started = run(client, "apply", waitMs=1200)
    client.link.close()
    home.tenon("down")
    need(not engines_of(path), "something was left behind")
    daemon.wait_until(lambda: not processes_of(path), "the end of who watched it")
    home.tenon("up")
    client = join(home)
    client.use("open_project", projectPath=path)
    over = client.use("get_run", runId=started["runId"])
    need(over["status"] == "cancelled" and over["exitCode"] == 1, f"{over['status']}")
    client.link.close()


# ---- a real one ----


def real(engine):
    """ST-151: init, validate, plan, apply, change, destroy with types that need no network."""
    with studio.Served(env={"TENON_TERRAFORM": engine, "CHECKPOINT_DISABLE": "1"}, timeout_s=120) as place:
        client = place.client
        path, alpha, beta = begin(client, "real", place.folder)
        for command in ("init", "validate"):
            need(run(client, command)["success"], command)
        plan = run(client, "plan")
        need(plan["summary"]["text"] == "2 to add, 0 to change, 0 to destroy", f"{plan['summary']}")
        shown = client.use("get_plan", runId=plan["planId"])
        need({one["instanceId"] for one in shown["changes"]} == {alpha, beta}, "get_plan")
        need(run(client, "apply", planId=plan["planId"])["success"], "apply")
        need(set(client.use("get_deployment_status")["statuses"].values()) == {"created"}, "created")
        need(client.code_of("run_terraform", command="apply", confirmed=True, planId=plan["planId"]) == "STALE_PLAN", "stale")
        client.use("update_resource", instanceId=alpha, properties={"input": "two", "triggers_replace": ["1"]})
        changed = run(client, "apply")
        need(changed["success"] and changed["summary"]["replace"] == 1, f"{changed['summary']} {changed['diagnostics']}")
        need(run(client, "plan")["summary"]["text"] == "0 to add, 0 to change, 0 to destroy", "nothing to do")
        need(client.use("get_deployment_status", refresh=True)["statuses"][beta] == "created", "read again")
        with open(os.path.join(path, "terraform/mine.tf"), "w", encoding="utf-8") as file:
            file.write('resource "terraform_data" "bad" {\n  lifecycle {\n    postcondition {\n      condition     = '
                       'self.input == "x"\n      error_message = "not x"\n    }\n  }\n}\n')
        failed = run(client, "apply")
        bad = [one for one in failed["resourceChanges"] if one["address"] == "terraform_data.bad"]
        need(failed["success"] is False and bad and bad[0]["success"] is False, f"{failed['resourceChanges']}")
        os.unlink(os.path.join(path, "terraform/mine.tf"))
        with open(os.path.join(path, "terraform/mine.tf"), "w", encoding="utf-8") as file:
            file.write("nonsense {\n")
        need(run(client, "validate")["success"] is False, "what is no configuration")
        os.unlink(os.path.join(path, "terraform/mine.tf"))
        destroyed = run(client, "destroy")
        need(destroyed["success"] and destroyed["summary"]["remove"] >= 2, f"{destroyed['summary']}")
        need(set(client.use("get_deployment_status")["statuses"].values()) == {"destroyed"}, "destroyed")


def main():
    with studio.Served(env={"TENON_TERRAFORM": FAKE}) as place:
        for name, part in (("FR-23 the guard", guard), ("FR-24 every line", streaming), ("9.5 results", tool_results),
                           ("ST-087 a long log", long_log),
                           ("ST-101 half of an apply", halfway),
                           ("ST-084 waiting and stopping", waiting), ("9.6 cancelled calls", cancelled),
                           ("ST-141 secrets", hidden)):
            with Step("studio-runs", name):
                part(place)
    with Step("studio-runs", "US-02 no engine"):
        missing_engine()
    with Step("studio-runs", "ST-081 nobody to ask"):
        unasked()
    with daemon.Home(TENON_TERRAFORM=FAKE, TENON_CONSENT="allow") as home:
        home.tenon("up")
        for name, part in (("9.6 clients that leave", leaving), ("9.6 a daemon that is killed", killed),
                           ("FR-07 a daemon that stops", stopping)):
            with Step("studio-runs", name):
                part(home)
        home.tenon("down", code=None)
    found = 0
    for name in ("terraform", "tofu"):
        engine = shutil.which(name)
        if engine:
            found += 1
            with Step("studio-runs", f"ST-151 the cycle with {name}"):
                real(engine)
    if not found:
        print("studio-runs: SKIPPED: ST-151 the cycle with a real engine: neither terraform nor tofu is on PATH",
              flush=True)
    return 1 if check.failures else 0


sys.exit(main())
