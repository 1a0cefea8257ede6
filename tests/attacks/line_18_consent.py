#!/usr/bin/env python3
"""line_18_consent.py - apply and destroy: a person approves the bytes of one plan for one caller, once; no argument that a
model sets is an approval (studio.md ST-081). Every other input: tests/studio/acts.py; who is a person: tests/consent."""
import json
import os
import shutil
import sys

import line
import check
import daemon
import studio
from check import need

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../studio"))
from acts import DATA, FAKE, Asked, addresses, append, plan_file  # noqa: E402


def swapped(place):
    """Approved is the plan that adds; the file becomes the one that destroys."""
    path = place.begin("swapped")
    client = place.client
    client.add(DATA, label="beta")
    adds, _ = place.run("plan")
    kills, _ = place.run("plan", destroy=True)
    need(isinstance(adds, dict) and isinstance(kills, dict), f"{adds} {kills}")
    need(adds["summary"]["text"] == "1 to add, 0 to change, 0 to destroy", f"{adds['summary']}")
    need(kills["summary"]["remove"] == 1, f"{kills['summary']}")
    first, second = plan_file(path, adds["planId"]), plan_file(path, kills["planId"])
    kept = open(first, "rb").read()
    for swap in (lambda: shutil.copyfile(second, first), lambda: os.replace(shutil.copy(second, first + "x"), first),
                 lambda: append(first, b"x"), lambda: os.unlink(first)):
        result, asked = place.run("apply", swap, planId=adds["planId"])
        need(result == "STALE_PLAN" and asked == 1, f"{asked} {result}")
        need(addresses(path) == ["terraform_data.alpha"], f"{addresses(path)}")
        open(first, "wb").write(kept)
    result, asked = place.run("apply", planId=adds["planId"])
    need(isinstance(result, dict) and asked == 1 and result["summary"]["add"] == 1, f"{asked} {result} {place.fault}")
    need(addresses(path) == ["terraform_data.alpha", "terraform_data.beta"], f"{addresses(path)}")


# What a model might set to be believed.
SWITCHES = [{"confirmed": True}, {"confirmed": True, "force": True}, {"confirmed": True, "approved": True},
            {"confirmed": True, "autoApprove": True}, {"confirmed": True, "auto-approve": True},
            {"confirmed": "true"}, {"confirmed": True, "consent": "allow"}, {"confirmed": True, "approvalId": "x"},
            {"confirmed": True, "TENON_CONSENT": "allow"}, {"confirmed": True, "user": "root"}]


def switches():
    """Nobody is there to ask: whatever the call says, nothing is applied or destroyed."""
    with daemon.Home(TENON_TERRAFORM=FAKE) as home:
        child = home.foreground()
        with line.relay(home, "studio") as client:
            path = client.use("new_project", name="switches", directoryPath=home.folder)["project"]["path"]
            client.add(DATA, label="alpha")
            for command in ("apply", "destroy"):
                for given in SWITCHES:
                    code = client.code_of("run_terraform", command=command, **given)
                    need(code, f"{command} {given} was taken")
                    need(code in ("CONSENT_UNAVAILABLE", "INVALID_INPUT", "CONFIRMATION_REQUIRED"), f"{given}: {code}")
                for meta in ({"approved": True}, {"io.tenon/consent": "allow"}, {"progressToken": "allow"}):
                    number = client.start("tools/call", {"name": "run_terraform", "_meta": meta,
                                                         "arguments": {"command": command, "confirmed": True}})
                    need(client.finish(number)["result"].get("isError"), f"{meta} was taken")
            code = client.code_of("execute_batch", operations=[{"tool": "run_terraform", "arguments": {
                "command": "apply", "confirmed": True}}])
            need(code == "BATCH_FAILED", f"in a batch: {code}")
            code = client.code_of("set_project_config", config={"consent": "allow"})
            need(code in (None, "INVALID_INPUT"), code)
            need(client.code_of("run_terraform", command="apply", confirmed=True) == "CONSENT_UNAVAILABLE", "by a setting")
            for tool in ("approve_request", "change_policy", "tenon.approve_request"):
                answer = client.finish(client.start("tools/call", {"name": tool, "arguments": {"decision": "approve"}}))
                need("error" in answer, f"{tool} exists")
            need(not os.path.exists(os.path.join(path, "terraform/terraform.tfstate")), "something was applied")
        child.terminate()
        child.wait(30)


def approved_once():
    """What a person approves at the terminal counts for the identical call, once, and for no other."""
    with daemon.Home(TENON_TERRAFORM=FAKE) as home:
        child = home.foreground()
        with line.relay(home, "studio") as client:
            path = client.use("new_project", name="once", directoryPath=home.folder)["project"]["path"]
            client.add(DATA, label="alpha")
            plan = client.use("run_terraform", command="plan")["planId"]
            other = client.use("run_terraform", command="plan", destroy=True)["planId"]
            given = {"command": "apply", "confirmed": True, "planId": plan}
            need(client.code_of("run_terraform", **given) == "CONSENT_UNAVAILABLE", "it is asked about")
            import person
            waiting = json.loads(home.tenon("approve", "--list", "--json").stdout)
            done = person.do("terminal", words=[daemon.TENON, "approve", waiting[0]["id"]], env=home.env,
                             answers=[["decide later]", "y\n"]], timeout=30)
            need(done["code"] == 0, done)
            need(client.code_of("run_terraform", **(given | {"planId": other})) in ("CONSENT_UNAVAILABLE", "STALE_PLAN"),
                 "another plan with the first one's approval")
            need(client.code_of("run_terraform", command="destroy", confirmed=True) == "CONSENT_UNAVAILABLE",
                 "destroy with an approval of apply")
            result = client.use("run_terraform", **given)
            need(result["success"] and addresses(path) == ["terraform_data.alpha"], result)
            code = client.code_of("run_terraform", **given)
            need(code in ("CONSENT_UNAVAILABLE", "STALE_PLAN"), f"a second time: {code}")
        child.terminate()
        child.wait(30)


def main():
    line.talk.CAPABILITIES["elicitation"] = {}
    with line.step("an approved plan that is swapped, extended or removed is not run"), Asked(FAKE) as place:
        swapped(place)
    line.talk.CAPABILITIES.clear()
    with line.step("no switch of a call is an approval"):
        switches()
    with line.step("an approval counts once, for the plan that was shown"):
        approved_once()
    line.end()


main()
