#!/usr/bin/env python3
"""studio_stdio.py - what a client waits for: studio's tools over stdio, on 200 nodes and 300 edges, and on 1,000.

    bench/studio_stdio.py [--nodes N] [--edges N] [--rounds N] [--build DIR]

Prints one line of NAME=MEDIAN_MS pairs. The client is Python's own library; what it costs itself to write and read
JSON of that size is measured beside (client_ms: get_diagram's bytes parsed again) and is part of no figure's claim.
"""
import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import tempfile
import time

GROUP, PLAN, NETWORK = ("azurerm/core/resource_group", "azurerm/compute/app_service_plan",
                        "azurerm/networking/virtual_network")
SUBNET, APP, ACCOUNT = ("azurerm/networking/subnet", "azurerm/compute/app_service", "azurerm/storage/storage_account")


class Server:
    def __init__(self, tenon, home):
        env = {"PATH": os.environ["PATH"], "HOME": home, "TENON_CONSENT": "allow"}
        for name in ("RUNTIME_DIR", "CONFIG_HOME", "STATE_HOME", "DATA_HOME"):
            env["XDG_" + name] = os.path.join(home, name.lower())
            os.mkdir(env["XDG_" + name], 0o700)
        self.process = subprocess.Popen([tenon, "serve", "studio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, env=env)
        self.number = 0
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                "clientInfo": {"name": "bench", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def line(self, method, params):
        """The answer's line, and how long it took from the first byte written to the last one read."""
        self.number += 1
        data = json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}).encode() + b"\n"
        begun = time.perf_counter()
        self.process.stdin.write(data)
        self.process.stdin.flush()
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("the server has ended")
            if b'"method":"notifications/' not in line[:80]:
                break
        took = (time.perf_counter() - begun) * 1000
        if b'"id":%d,' % self.number not in line[:40] or b'"isError":true' in line[-400:]:
            raise SystemExit(f"request {self.number} {params.get('name')}: {line[:300]}")
        return line, took

    def ask(self, method, params):
        answer = json.loads(self.line(method, params)[0])
        if "error" in answer or answer["result"].get("isError"):
            raise SystemExit(str(answer)[:600])
        return answer["result"].get("structuredContent")

    def call(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def time(self, tool, **arguments):
        return self.line("tools/call", {"name": tool, "arguments": arguments})[1]


def build(server, nodes, edges):
    """Groups of twenty nodes; edges are plans to apps, then annotations between any two."""
    chance = random.Random(7)
    made = {"group": [], "plan": [], "app": [], "all": []}
    while len(made["all"]) < nodes:
        group = server.call("add_resource", typeId=GROUP)["instanceId"]
        room = min(19, nodes - len(made["all"]) - 1)
        operations = [{"as": "net", "tool": "add_resource", "arguments": {"typeId": NETWORK, "parentId": group}}]
        operations += [{"tool": "add_resource", "arguments": {"typeId": SUBNET, "parentId": "$net.instanceId"}}] * 3
        operations += [{"tool": "add_resource", "arguments": {"typeId": PLAN, "parentId": group}},
                       {"tool": "add_resource", "arguments": {"typeId": ACCOUNT, "parentId": group}}]
        operations += [{"tool": "add_resource", "arguments": {"typeId": APP, "parentId": group}}] * 13
        done = server.call("execute_batch", operations=operations[:room]) if room else {"results": []}
        ids = [one["instanceId"] for one in done["results"]]
        made["all"] += [group, *ids]
        made["plan"] += ids[4:5]
        made["app"] += [(ids[4], app) for app in ids[6:]]
    operations = [{"tool": "connect_resources", "arguments": {
        "sourceInstanceId": plan, "sourceHandle": "asp-out", "targetInstanceId": app, "targetHandle": "asp-in"}}
        for plan, app in made["app"][:edges]]
    while len(operations) < edges:
        one, other = chance.sample(made["all"], 2)
        operations.append({"tool": "connect_resources", "arguments": {
            "sourceInstanceId": one, "sourceHandle": "node", "targetInstanceId": other, "targetHandle": "node"}})
    for first in range(0, len(operations), 500):
        server.call("execute_batch", operations=operations[first:first + 500])
    return made


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", type=int, default=200)
    parser.add_argument("--edges", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--build", default=os.environ.get("TENON_BUILD", "build"))
    wanted = parser.parse_args()
    home = os.path.realpath(tempfile.mkdtemp(prefix="tenon-bench-"))
    server = Server(os.path.abspath(os.path.join(wanted.build, "tenon")), home)
    try:
        server.call("new_project", name="bench", directoryPath=home)
        made = build(server, wanted.nodes, wanted.edges)
        plan = made["plan"][0]
        figures = {}

        def measure(name, one):
            figures[name] = statistics.median(one(number) for number in range(wanted.rounds))

        measure("list_resources", lambda _: server.time("list_resources"))
        measure("get_diagram", lambda _: server.time("get_diagram"))
        measure("validate_diagram", lambda _: server.time("validate_diagram"))
        measure("estimate_costs", lambda _: server.time("estimate_costs"))
        measure("update_resource", lambda n: server.time("update_resource", instanceId=plan,
                                                         properties={"worker_count": 1 + n % 30}))
        measure("add_resource", lambda _: server.time("add_resource", typeId=PLAN, parentId=made["all"][0]))
        measure("undo_change", lambda _: server.time("undo_change"))
        measure("generate_hcl", lambda _: server.time("generate_hcl", write=False))
        measure("layout_diagram", lambda n: server.time("layout_diagram", direction=("LR", "TB")[n % 2]))
        text = server.line("tools/call", {"name": "get_diagram", "arguments": {}})[0]
        begun = time.perf_counter()
        json.loads(text)
        figures["client"] = (time.perf_counter() - begun) * 1000
        print(" ".join(f"{name}={value:.2f}" for name, value in figures.items()))
    finally:
        server.process.stdin.close()
        server.process.wait()
        shutil.rmtree(home, ignore_errors=True)


main()
