#!/usr/bin/env python3
"""plan_review.py TENON - one review for several clients and several processes.

Two clients of one server see the same marks and undo each other's; the open plans are listed newest
first, and not at all where anybody may connect; what was acknowledged survives kill -9; a second
process is told who has the review open. Prints one line a test, as cmocka does.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import urllib.request

TENON = sys.argv[1]
FAILURES = 0
TOKEN = "a-token-of-many-letters"


def plan(name):
    return ("Terraform will perform the following actions:\n\n"
            f"  # null_resource.{name} will be created\n"
            f"  + resource \"null_resource\" \"{name}\" {{\n      + id = (known after apply)\n    }}\n\n"
            "Plan: 1 to add, 0 to change, 0 to destroy.\n")


def test(name, passed, seen):
    global FAILURES
    print(f"[{'       OK ' if passed else '  FAILED  '}] {name}")
    if not passed:
        FAILURES += 1
        print(f"    {seen}", file=sys.stderr)


class Server:
    def __init__(self, folder, *words):
        self.process = subprocess.Popen(
            [TENON, "serve", "plan", "--http", "127.0.0.1:0", *words], stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, env={**os.environ, "XDG_STATE_HOME": folder})
        self.url = self.process.stderr.readline().split()[-1]
        self.process.stderr.readline()
        self.number = 0

    def call(self, client, method, **params):
        self.number += 1
        params["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": client, "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {}}
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}",
                   "Accept": "application/json, text/event-stream",
                   "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
        if "name" in params or "uri" in params:
            headers["Mcp-Name"] = params.get("name") or params["uri"]
        request = urllib.request.Request(self.url, json.dumps(
            {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}).encode(),
            headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return json.load(error)

    def tool(self, client, name, **arguments):
        answer = self.call(client, "tools/call", name=name, arguments=arguments)
        return answer.get("result", {}).get("structuredContent", answer)

    def parse(self, client, text):
        return self.tool(client, "terraform_parse", plan_text=text)["plan_id"]

    def plans(self, client):
        answer = self.call(client, "resources/read", uri="plan://plans")
        return json.loads(answer["result"]["contents"][0]["text"])["plans"]

    def end(self, how):
        self.process.send_signal(how)
        self.process.stderr.read()
        return self.process.wait(timeout=10)


def marks(review):
    return [(m["address"], m["verdict"], m["by"]) for m in review.get("marks", [])]


def share(folder):
    server = Server(folder, "--token", TOKEN)
    first = server.parse("Claude Code", plan("a"))
    second = server.parse("Cursor", plan("b"))
    listed = server.plans("Cursor")
    test("open_plans_are_listed_newest_first",
         [(p["plan_id"], p["client"], p["title"]) for p in listed] ==
         [(second, "Cursor", "null_resource.b"), (first, "Claude Code", "null_resource.a")], listed)
    server.tool("Claude Code", "terraform_review", plan_id=first,
                marks=[{"address": "null_resource.a", "verdict": "stop"}])
    seen = server.tool("Cursor", "terraform_review", plan_id=first)
    test("another_client_sees_the_mark_and_who_made_it",
         marks(seen) == [("null_resource.a", "stop", "Claude Code")], seen)
    undone = server.tool("Cursor", "terraform_review", plan_id=first, undo=True)
    test("another_client_undoes_it", marks(undone) == [] and undone["revision"] == 2, undone)
    server.tool("Cursor", "terraform_review", plan_id=first,
                marks=[{"address": "null_resource.a", "verdict": "ok", "note": "fine"}])
    test("killed", server.end(signal.SIGKILL) == -signal.SIGKILL, "")


def survive(folder):
    server = Server(folder, "--token", TOKEN)
    plan_id = server.parse("Cursor", plan("a"))
    review = server.tool("Cursor", "terraform_review", plan_id=plan_id)
    test("what_was_acknowledged_survives_kill_9",
         review.get("revision") == 3 and marks(review) == [("null_resource.a", "ok", "Cursor")], review)
    other = Server(folder, "--token", TOKEN)
    plan_id = other.parse("Cursor", plan("a"))
    refused = other.tool("Cursor", "terraform_review", plan_id=plan_id)
    test("a_second_process_is_told_who_has_it_open",
         refused.get("error", {}).get("code") == "review_unavailable" and
         f"pid {server.process.pid} on" in refused["error"]["message"], refused)
    test("the_servers_end_well", server.end(signal.SIGTERM) == 0 and
         other.end(signal.SIGTERM) == 0, "")
    names = os.listdir(os.path.join(folder, "tenon", "plan", "reviews"))
    test("only_the_snapshot_is_left", len(names) == 1 and names[0].endswith(".json"), names)


def hide(folder):
    server = Server(folder, "--no-token")
    server.parse("t", plan("a"))
    test("where_anybody_may_connect_no_plan_is_listed", server.plans("t") == [], "")
    server.end(signal.SIGTERM)


def main():
    with tempfile.TemporaryDirectory() as folder:
        share(folder)
        survive(folder)
        hide(folder)
    return 1 if FAILURES else 0


sys.exit(main())
