#!/usr/bin/env python3
"""plan_http.py TENON - what the plan server does differently for clients that come by HTTP.

plan_path is off unless the operator turns it on (plan.md section 12), and where anybody may connect
no handle is completed (section 16). Prints one line a test, as cmocka does.
"""
import json
import os
import subprocess
import sys
import tempfile
import urllib.request

TENON = sys.argv[1]
FAILURES = 0
PLAN = ("Terraform will perform the following actions:\n\n"
        "  # null_resource.a will be created\n"
        "  + resource \"null_resource\" \"a\" {\n      + id = (known after apply)\n    }\n\n"
        "Plan: 1 to add, 0 to change, 0 to destroy.\n")


def test(name, passed, seen):
    global FAILURES
    print(f"[{'       OK ' if passed else '  FAILED  '}] {name}")
    if not passed:
        FAILURES += 1
        print(f"    {seen}", file=sys.stderr)


class Server:
    def __init__(self, folder, words, **env):
        self.process = subprocess.Popen(
            [TENON, "serve", "plan", "--http", "127.0.0.1:0", *words], stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True,
            env={**os.environ, "XDG_STATE_HOME": folder, **env})
        self.url = self.process.stderr.readline().split()[-1]
        self.token = self.process.stderr.readline().split()[-1]
        self.number = 0

    def call(self, method, **params):
        self.number += 1
        params["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {}}
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}",
                   "Accept": "application/json, text/event-stream",
                   "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
        if "name" in params:
            headers["Mcp-Name"] = params["name"]
        request = urllib.request.Request(self.url, json.dumps(
            {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}).encode(),
            headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return json.load(error)

    def tool(self, name, **arguments):
        return self.call("tools/call", name=name, arguments=arguments).get("result", {})

    def complete(self):
        answer = self.call("completion/complete", argument={"name": "plan_id", "value": ""},
                           ref={"type": "ref/prompt", "name": "explain_terraform_plan"})
        return answer["result"]["completion"]["values"]

    def stop(self):
        self.process.terminate()
        self.process.stderr.read()
        return self.process.wait(timeout=30)


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "plan.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PLAN)
        token = "a-token-of-many-letters"
        server = Server(folder, ["--token", token], TENON_PLAN_PATHS=folder)
        result = server.tool("terraform_parse", plan_path=path)
        test("plan_path_is_off_over_http",
             result.get("structuredContent", {}).get("error", {}).get("code") == "path_not_allowed",
             result)
        result = server.tool("terraform_parse", plan_text=PLAN)
        plan_id = result["structuredContent"]["plan_id"]
        test("a_handle_works_in_the_next_request",
             server.tool("terraform_risk", plan_id=plan_id).get("isError") is None, plan_id)
        test("the_holder_of_the_token_may_complete_it", server.complete() == [plan_id], plan_id)
        test("the_server_ends_well", server.stop() == 0, "")

        server = Server(folder, ["--token", token], TENON_PLAN_PATHS=folder,
                        TENON_PLAN_PATHS_OVER_HTTP="1")
        result = server.tool("terraform_parse", plan_path=path)
        test("the_operator_may_turn_it_on",
             result["structuredContent"].get("summary", {}).get("total_changes") == 1, result)
        server.stop()

        server = Server(folder, ["--no-token"])
        server.tool("terraform_parse", plan_text=PLAN)
        test("where_anybody_may_connect_nothing_is_completed", server.complete() == [], "")
        server.stop()
    return 1 if FAILURES else 0


sys.exit(main())
