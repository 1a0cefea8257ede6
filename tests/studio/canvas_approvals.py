#!/usr/bin/env python3
"""canvas_approvals.py - what a page is told of an apply or destroy that waits for a person, and when a person's own call is
its approval (studio-canvas.md SC-022): a real daemon, a page with the person token, clients without it."""
import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import daemon  # noqa: E402
import links  # noqa: E402
import person  # noqa: E402
import studio  # noqa: E402
import talk  # noqa: E402
from check import Step, need  # noqa: E402
import check  # noqa: E402

FAKE = os.path.abspath(os.path.join(os.path.dirname(__file__), "fake_engine"))
GROUP, PLAN = "azurerm/core/resource_group", "azurerm/compute/app_service_plan"
ASKED = {"rules": [{"id": "ask me", "person": True, "act": ["apply", "destroy"], "action": "confirm"}]}


class Place:
    """A daemon with a policy, a page and an assistant."""

    def __init__(self, policy=None, **env):
        self.home = daemon.Home(TENON_TERRAFORM=FAKE, **env)
        self.home.__enter__()
        if policy:
            self.set_policy(policy)
        self.child = self.home.foreground()
        self.enter()

    def set_policy(self, policy):
        os.makedirs(self.home.path("config", "tenon"), exist_ok=True)
        with open(self.home.path("config", "tenon", "policy.json"), "w", encoding="utf-8") as file:
            json.dump(policy, file)

    def enter(self):
        found = self.home.discovery()
        self.token, self.url = found["token"], found["url"].replace("http", "ws", 1)
        self.person_token = person.do("ask", path=self.home.runtime("person.sock"))["token"]
        self.page = studio.Assistant(links.WebSocket(self.url + "/ws/studio", self.person_token))
        self.desk = talk.Client(links.WebSocket(self.url + "/ws/tenon", self.person_token), studio.REVISION)
        self.desk.hello()
        self.client = studio.Assistant(links.Stdio([daemon.TENON, "mcp", "studio"], env=self.home.env))

    def restart(self):
        self.client.link.close()
        self.child.terminate()
        self.child.wait(30)
        self.child = self.home.foreground()
        self.enter()

    def approvals(self, state="pending"):
        answer = self.desk.ask("resources/read", {"uri": "tenon://approvals"})
        listed = json.loads(answer["result"]["contents"][0]["text"])["approvals"]
        return [one for one in listed if one["state"] == state]

    def pending(self):
        daemon.wait_until(self.approvals, "a request")
        return self.approvals()[0]

    def decide(self, request, decision):
        answer = self.desk.ask("tools/call", {"name": "approve_request",
                                              "arguments": {"id": request["id"], "decision": decision}})
        need("result" in answer and not answer["result"].get("isError"), f"{answer}")

    def audit(self, tool="run_terraform"):
        answer = self.desk.ask("resources/read", {"uri": "tenon://audit"})
        return [one for one in json.loads(answer["result"]["contents"][0]["text"])["entries"] if one["tool"] == tool]

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        try:
            self.client.link.close()
        except (OSError, links.Lost):
            pass
        self.child.terminate()
        self.child.wait(60)
        self.home.__exit__(*problem)


def begin(place, name):
    """A project with a group and two priced nodes."""
    made = place.page.use("new_project", name=name, directoryPath=place.home.folder)["project"]
    group = place.page.add(GROUP, label="group")
    return made, group, [place.page.add(PLAN, group, label=label) for label in ("web", "jobs")]


def plan(client, **arguments):
    return client.use("run_terraform", command="plan", **arguments)["planId"]


def state_of(project):
    try:
        with open(os.path.join(project["path"], "terraform/terraform.tfstate"), encoding="utf-8") as file:
            return sorted(json.load(file)["fake"])
    except FileNotFoundError:
        return []


# ---- what the page is told ----


def told(place):
    """The data of a question: counts, costs, changes with nodes, who asks; it goes when it is decided."""
    project, group, (web, jobs) = begin(place, "told")
    costs = place.page.use("estimate_costs")
    named = plan(place.client)
    need("result" in place.desk.ask("resources/subscribe", {"uri": "tenon://approvals"}), "followed")
    before = time.monotonic()
    call = place.client.begin("run_terraform", command="apply", confirmed=True, planId=named)
    while not any(note["method"] == "notifications/resources/updated" for note in place.desk.notes):
        place.desk.take(20)
    check.need_quick(time.monotonic() - before, 1, "the page was told")
    request = place.pending()
    data = request["data"]
    need(data["projectId"] == project["id"] and data["command"] == "apply" and data["planId"] == named, f"{data}")
    need(data["counts"] | {"add": 3, "change": 0, "remove": 0, "replace": 0} == data["counts"], f"{data['counts']}")
    need(data["destroys"] == 0 and data["actor"] == {"name": data["actor"]["name"], "person": False}, f"{data}")
    need({(one["instanceId"], one["action"]) for one in data["changes"]} == {(node, "create") for node in (group, web, jobs)},
         f"{data['changes']}")
    need(all(one["address"].startswith("azurerm_") for one in data["changes"]), f"{data['changes']}")
    total = costs["total"]["monthly"]
    need(total > 0 and data["monthlyCost"] == {"before": 0, "after": total, "currency": "USD", "complete": True},
         f"{data['monthlyCost']} {total}")
    need(f"Monthly cost (an estimate): 0.00 USD before, {total:.2f} USD after (+{total:.2f})" in request["detail"],
         request["detail"])
    shown = place.page.use("get_plan", runId=named)
    need(shown["monthlyCost"] == data["monthlyCost"], f"{shown['monthlyCost']}")
    one = [change for change in shown["changes"] if change.get("instanceId") == web][0]
    need(one["monthlyCost"] == {"before": 0, "after": costs["estimates"][web]["monthly"], "currency": "USD"}, f"{one}")
    place.decide(request, "approve")
    need(place.client.end(call)["success"], "it was approved")
    need(not place.approvals("used")[0].get("data"), "data of what was decided")

    # A change, and a removal: what it cost when it was applied, and what it will cost.
    place.page.use("update_resource", instanceId=web, properties={"sku_name": "P1v3"})
    place.page.use("remove_resource", instanceId=jobs)
    after = place.page.use("estimate_costs")["total"]["monthly"]
    call = place.client.begin("run_terraform", command="apply", confirmed=True)
    data = place.pending()["data"]
    need(data["monthlyCost"] == {"before": total, "after": after, "currency": "USD", "complete": True} and after != total,
         f"{data['monthlyCost']} {total} {after}")
    need(data["destroys"] == 1 and data["counts"]["remove"] == 1, f"{data}")
    need([(one.get("instanceId"), one["action"]) for one in data["changes"]] == [(jobs, "delete"), (web, "update")],
         f"the gravest first, with its node: {data['changes']}")
    before = len(state_of(project))
    place.decide(place.pending(), "deny")
    try:
        place.client.end(call)
        raise AssertionError("it ran")
    except studio.Fault as fault:
        need(fault.code == "CONSENT_DECLINED" and len(state_of(project)) == before, f"{fault}")

    call = place.client.begin("run_terraform", command="destroy", confirmed=True)
    request = place.pending()
    need(request["act"] == "destroy" and request["data"]["monthlyCost"] | {"before": total, "after": 0} ==
         request["data"]["monthlyCost"] and request["data"]["destroys"] == 3, f"{request['data']}")
    place.decide(request, "deny")
    need(not place.client.answers.get("x") and refused(place.client, call) == "CONSENT_DECLINED", "declined")
    page_closes(place)


def refused(client, number):
    try:
        client.end(number)
    except studio.Fault as fault:
        return fault.code
    return None


def page_closes(place):
    place.page.use("save_project")
    place.page.use("close_project")


def many(place):
    """Hundreds of changes, and what hides or reorders characters: all counted, none drawn as something else."""
    place.page.use("new_project", name="many", directoryPath=place.home.folder)
    for _ in range(2):
        place.page.use("execute_batch", operations=[
            {"tool": "add_resource", "arguments": {"typeId": "builtin/core/data", "label": f"n{n}"}} for n in range(450)])
    call = place.client.begin("run_terraform", command="apply", confirmed=True)
    data = place.pending()["data"]
    need(data["counts"]["add"] == 900 and len(data["changes"]) == 500 and data["moreChanges"] == 400,
         f"{len(data['changes'])} {data.get('moreChanges')} {data['counts']}")
    need(len(json.dumps(data)) < 130000, "its size")
    place.decide(place.pending(), "deny")
    need(refused(place.client, call) == "CONSENT_DECLINED", "declined")
    page_closes(place)


# ---- a person's own call ----


def own(place):
    """Who names the plan has approved it; who names none is asked, where the policy says so."""
    project, _, _ = begin(place, "own")
    named = plan(place.page)
    place.page.use("get_plan", runId=named)
    need(place.page.code_of("run_terraform", command="apply", planId=named) == "CONFIRMATION_REQUIRED", "unconfirmed")
    result = place.page.use("run_terraform", command="apply", confirmed=True, planId=named)
    need(result["success"] and len(state_of(project)) == 3 and not place.approvals(), f"{result}")
    entry = place.audit()[0]
    need(entry["consent"] == "page" and entry["person"] is True and entry["outcome"] == "ok", f"{entry}")
    call = place.page.begin("run_terraform", command="destroy", confirmed=True)
    request = place.pending()
    need(request["data"]["actor"]["person"] is True and len(state_of(project)) == 3, f"{request}")
    place.decide(request, "deny")
    need(refused(place.page, call) == "CONSENT_DECLINED", "declined")
    # Once more the same plan is not the same approval.
    need(place.page.code_of("run_terraform", command="apply", confirmed=True, planId=named) == "STALE_PLAN", "used")
    need(place.page.code_of("run_terraform", command="destroy", confirmed=True, planId=named) in ("INVALID_INPUT",),
         "a plan to create for a destroy")
    kill = plan(place.page, destroy=True)
    need(place.page.use("run_terraform", command="destroy", confirmed=True, planId=kill)["success"], "destroyed")
    need(state_of(project) == [], f"{state_of(project)}")
    page_closes(place)


def strangers(place):
    """The same words of anybody without the person token are no approval, whatever they call themselves."""
    project, _, _ = begin(place, "strangers")
    named = plan(place.page)
    place.page.use("get_plan", runId=named)
    arguments = {"command": "apply", "confirmed": True, "planId": named}
    for name in ("tenon page", "user (page)", "tenon", "page"):
        stranger = talk.Client(links.WebSocket(place.url + "/ws/studio", place.token), studio.REVISION)
        answer = stranger.ask("initialize", {"protocolVersion": studio.REVISION, "capabilities": {},
                                             "clientInfo": {"name": name, "version": "1"}})
        need("result" in answer, f"{answer}")
        stranger.notify("notifications/initialized")
        for meta in ({}, {"person": True}, {"io.tenon/person": True, "consent": "page"}):
            number = stranger.start("tools/call", {"name": "run_terraform", "arguments": arguments, "_meta": meta})
            request = place.pending()
            need(request["data"]["actor"]["person"] is False, f"{request['data']['actor']}")
            need(state_of(project) == [], "it ran")
            place.decide(request, "deny")
            answer = stranger.finish(number)["result"]
            need(answer["isError"] and answer["structuredContent"]["error"] == "CONSENT_DECLINED", f"{answer}")
        stranger.link.close()
    # Neither does what a person approves for one count for another, though the digest of the act is the same.
    call = place.client.begin("run_terraform", **arguments)
    need(place.page.use("run_terraform", **arguments)["success"], "the person's own")
    request = place.approvals()
    if request:
        place.decide(request[0], "approve")
    need(refused(place.client, call) in ("STALE_PLAN", "RUN_IN_PROGRESS", "CONSENT_UNAVAILABLE"), "it ran twice")
    need([one["consent"] for one in place.audit()[:2]].count("page") >= 1, f"{place.audit()[:2]}")
    page_closes(place)


def changed(place):
    """What is not any more what was planned, or what was shown, is refused; nothing runs."""
    project, group, (web, _) = begin(place, "changed")
    runs = os.path.join(project["path"], ".tenon/runs")

    def apply(named):
        return place.page.code_of("run_terraform", command="apply", confirmed=True, planId=named)

    named = plan(place.page)
    place.page.use("update_resource", instanceId=web, label="other", properties={"sku_name": "P2v3"})
    need(apply(named) == "STALE_PLAN", "another diagram")
    named, kill = plan(place.page), plan(place.page, destroy=True)
    place.page.use("get_plan", runId=named)
    for file in ("plan.tfplan", "plan.json"):
        kept = open(os.path.join(runs, named, file), "rb").read()
        with open(os.path.join(runs, kill, file), "rb") as other:
            open(os.path.join(runs, named, file), "wb").write(other.read())
        if file == "plan.tfplan":
            need(apply(named) == "STALE_PLAN", "another plan's file")
        else:
            need(place.page.code_of("get_plan", runId=named) == "STALE_PLAN", "another plan's words")
        open(os.path.join(runs, named, file), "wb").write(kept)
    with open(os.path.join(project["path"], "terraform/mine.tf"), "w", encoding="utf-8") as file:
        file.write('resource "terraform_data" "mine" {}\n')
    need(apply(named) == "STALE_PLAN", "a file of the user's")
    os.unlink(os.path.join(project["path"], "terraform/mine.tf"))
    need(apply("run_" + "a" * 26) == "NOT_FOUND" and apply("../" + named) == "NOT_FOUND", "no plan")
    need(state_of(project) == [] and not place.approvals(), "something ran")
    # One that this daemon did not see being made is asked about: nobody knows what was shown of it.
    place.page.use("save_project")
    place.restart()
    place.page.use("open_project", projectPath=project["path"])
    named = [one["runId"] for one in json.loads(place.page.ask("resources/read", {
        "uri": f"studio://projects/{project['id']}/runs"})["result"]["contents"][0]["text"]) if one["runId"] == named][0]
    call = place.page.begin("run_terraform", command="apply", confirmed=True, planId=named)
    request = place.pending()
    need(request["data"]["planId"] == named and state_of(project) == [], f"{request['data']}")
    place.decide(request, "approve")
    need(place.page.end(call)["success"] and len(state_of(project)) == 3, "approved")
    page_closes(place)


def denied():
    """The policy is above persons, too; and a plan that destroys is a destroy by whichever command."""
    with Place({"rules": [{"id": "never", "act": "destroy", "action": "deny"}]}) as place:
        project, _, _ = begin(place, "denied")
        named = plan(place.page)
        need(place.page.use("run_terraform", command="apply", confirmed=True, planId=named)["success"], "apply")
        kill = plan(place.page, destroy=True)
        for command in ("apply", "destroy"):
            for client in (place.page, place.client):
                code = client.code_of("run_terraform", command=command, confirmed=True, planId=kill)
                need(code == "DENIED_BY_POLICY" and len(state_of(project)) == 3, f"{command}: {code}")
        page_closes(place)


def terminals():
    """A program in one of our terminals gets no person token, so it never is the person who names a plan."""
    with Place(ASKED) as place:
        project, _, _ = begin(place, "terminals")
        named = plan(place.page)
        script = place.home.path("try.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write("import json, os, socket\n"
                       "door = socket.socket(socket.AF_UNIX)\n"
                       f"door.connect({place.home.runtime('person.sock')!r})\n"
                       "print('answer', json.loads(door.makefile().readline()))\n")
        worker = studio.Assistant(links.Stdio([daemon.TENON, "mcp", "terminal"], env=place.home.env))
        for command in (f"{sys.executable} {script}", f"setsid -w {sys.executable} {script}"):
            number = worker.begin("execute_command", command=command)
            said = json.dumps(worker.end(number))
            need("DENIED" in said and "token" not in said.replace("DENIED", ""), said)
        worker.link.close()
        stranger = studio.Assistant(links.WebSocket(place.url + "/ws/studio", place.token))
        number = stranger.begin("run_terraform", command="apply", confirmed=True, planId=named)
        place.decide(place.pending(), "deny")
        need(refused(stranger, number) == "CONSENT_DECLINED" and state_of(project) == [], "with the client token")
        stranger.link.close()


def main():
    with Place(ASKED) as place:
        for name, part in (("SC-022 what a page is told", told), ("SC-022 hundreds of changes", many),
                           ("SC-022 a person's own call", own), ("SC-022 others' calls", strangers),
                           ("SC-022 plans that were changed", changed)):
            with Step("studio-canvas-approvals", name):
                part(place)
    for name, part in (("SC-022 what the policy denies", denied), ("SC-022 programs in our terminals", terminals)):
        with Step("studio-canvas-approvals", name):
            part()
    return 1 if check.failures else 0


sys.exit(main())
