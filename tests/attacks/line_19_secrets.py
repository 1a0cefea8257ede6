#!/usr/bin/env python3
"""line_19_secrets.py - secrets that stand in plans: no tool, resource, command, log or file of ours shows them (plan.md
sections 3 and 16). Kinds of secrets one by one: src/apps/plan/explain/redact_test.c; those of terminals: tests/terminal/secrets.py."""
import json
import os

import line
import check
import daemon

CANARIES = {"a sensitive value": "canary-sensitive-value-81f3", "a password": "canary-password-7c1e",
            "a connection string": "canaryconnection5512", "a provider's token": "canary-provider-token-93aa",
            "a private key": "CANARYPRIVATEKEY4471", "an AWS key": "canaryAWS/secret/key0123456789abcdefABCD",
            "a GitHub token": "ghp_canary0123456789canary0123456789ab", "a sensitive output": "canary-output-1b1b",
            "a nested one": "canary-nested-d00d", "a variable": "canary-variable-c0de", "user data": "canary-user-data-77"}
C = CANARIES
ATTRIBUTES = {
    "plain": "shown", "secret_thing": C["a sensitive value"], "password": C["a password"],
    "connection_string": f"Server=tcp:x;User ID=sa;Password={C['a connection string']};Encrypt=True",
    "url": f"postgres://user:{C['a connection string']}@db.example/x", "github_token": C["a GitHub token"],
    "secret_access_key": C["an AWS key"],
    "private_key_pem": f"-----BEGIN RSA PRIVATE KEY-----\n{C['a private key']}\n-----END RSA PRIVATE KEY-----\n",
    "block": [{"inner": {"value": C["a nested one"]}}], "tags": {"api_key": C["a password"]},
    "user_data": f"#!/bin/sh\nexport DB_PASSWORD={C['user data']}\n"}


def plan(action):
    before = ATTRIBUTES if action != "create" else None
    after = ATTRIBUTES | {"plain": "new"} if action != "delete" else None
    marks = {"secret_thing": True, "block": [{"inner": {"value": True}}]}
    return {"format_version": "1.2", "terraform_version": "1.9.0",
            "variables": {"db_password": {"value": C["a variable"]}},
            "planned_values": {"root_module": {"resources": []}},
            "resource_changes": [{"address": "thing.a", "mode": "managed", "type": "thing", "name": "a",
                                  "provider_name": "registry.terraform.io/x/x",
                                  "change": {"actions": [action], "before": before, "after": after, "after_unknown": {},
                                             "before_sensitive": marks if before else False,
                                             "after_sensitive": marks if after else False}}],
            "output_changes": {"out": {"actions": ["create"], "before": None, "after": C["a sensitive output"],
                                       "after_unknown": False, "before_sensitive": True, "after_sensitive": True}},
            "configuration": {"provider_config": {"x": {"name": "x", "expressions": {
                "token": {"constant_value": C["a provider's token"]}}}},
                "root_module": {"variables": {"db_password": {"sensitive": True, "default": C["a variable"]}}}}}


# What a plan itself does not mark is the caller's own to read; in words, and in what is kept, it is not shown either.
MARKED = ("a sensitive value", "a provider's token", "a sensitive output", "a nested one", "a variable")
TELLS_VALUES = ("terraform_parse", "terraform_show_change", "terraform_review", "plan parse")


def clean(where, text):
    own = any(name in where for name in TELLS_VALUES)
    found = [name for name, value in CANARIES.items() if value in text and (name in MARKED or not own)]
    check.need(not found, f"{where} shows {found}: ...{text[max(0, text.find(CANARIES[found[0]]) - 80):][:160]}"
               if found else "")


def tools(home, text):
    with line.relay(home, "plan") as client:
        said = {}

        def ask(tool, **arguments):
            answer = client.finish(client.start("tools/call", {"name": tool, "arguments": arguments}))
            said[f"{tool} {list(arguments)}"] = json.dumps(answer)
            return answer

        made = ask("terraform_parse", plan_json=text, detail="full")
        handle = made["result"]["structuredContent"]["plan_id"]
        for detail in ("summary", "changes", "full", "everything"):
            ask("terraform_parse", plan_id=handle, detail=detail)
        for form in ("text", "markdown", "sarif", "json", "pr"):
            ask("terraform_explain", plan_id=handle, format=form)
        for tool in ("terraform_risk", "terraform_context", "terraform_explain_best_of_n"):
            ask(tool, plan_id=handle)
        ask("terraform_show_change", plan_id=handle, address="thing.a")
        ask("terraform_show_change", plan_id=handle, index=0)
        ask("terraform_compare", plan_id=handle, other_plan_text="No changes.")
        ask("terraform_score", plan_id=handle, answer="Creates thing.a")
        ask("terraform_review", plan_id=handle)
        ask("terraform_history", query="thing")
        ask("terraform_parse", plan_json=text[:-3])
        ask("terraform_parse", plan_json=text.replace("thing.a", "\0"))
        ask("terraform_parse", plan_text=text)
        for one in client.finish(client.start("resources/list"))["result"]["resources"]:
            said[one["uri"]] = json.dumps(client.finish(client.start("resources/read", {"uri": one["uri"]})))
        for name, out in said.items():
            clean(name, out)
        check.need("thing.a" in said["terraform_show_change ['plan_id', 'address']"], "a control: the change is not shown")


def commands(home, text):
    path = home.path("plan.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    for words in (["explain"], ["parse"], ["risk"], ["explain", "--json"], ["parse", "--json"], ["context"], ["explain", "--format",
                  "sarif"], ["explain", "--format", "markdown"]):
        done = home.tenon("plan", *words, path, code=None)
        clean(f"tenon plan {' '.join(words)}", done.stdout + done.stderr)
        done = home.tenon("plan", *words, code=None, text=text)
        clean(f"tenon plan {' '.join(words)} <", done.stdout + done.stderr)


def kept(home, spare):
    for top in ("run", "state", "data", "cache"):
        for where, _, names in os.walk(home.path(top)):
            for name in names:
                path = os.path.join(where, name)
                if os.path.isfile(path) and path != spare:
                    with open(path, "rb") as file:
                        clean(path, file.read().decode("utf-8", "replace"))


def main():
    with daemon.Home(TENON_CONSENT="allow", TENON_PLAN_HISTORY="on") as home:
        child = home.foreground("--set", "log.level=debug")
        for action in ("create", "update", "delete"):
            text = json.dumps(plan(action))
            with line.step(f"{action}: no tool and no resource shows a secret"):
                tools(home, text)
            with line.step(f"{action}: no command line does"):
                commands(home, text)
        with line.step("nor does a file that we keep: logs, audit, history, state"):
            kept(home, home.path("plan.json"))
        for resource in ("calls", "audit", "logs", "clients"):
            with line.step(f"nor tenon://{resource}"):
                clean(resource, home.tenon("read", f"tenon://{resource}").stdout)
        child.terminate()
        child.wait(30)
    line.end()


main()
