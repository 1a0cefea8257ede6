#!/usr/bin/env python3
"""loop_held.py - how long a call holds the daemon's loop: nothing that a peer sends may for more than 20 ms.

    bench/loop_held.py [PART...]        parts: studio canvas diagram large terminal callers floorplan plan workbench; all of them without one

A second process pings the daemon all the time. Of the pings that were answered while a call went on, the longest
counts: `wait` is what its sender waited, `loop` how much processor time the daemon's loop used meanwhile, which a busy
machine does not lengthen (the medians of some rounds). `all` is what the loop used for the whole call and the pings
beside it, at best; `call` how long the call took. Only a loop that worked for ten times what it may is a failure.
Wants a release build (make build)."""
import json
import mmap
import multiprocessing
import os
import random
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

for part in ("workbench", "terminal", "lib"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests", part))
import check  # noqa: E402
import core  # noqa: E402
import daemon  # noqa: E402
import links  # noqa: E402
import person  # noqa: E402
import preview  # noqa: E402
import studio  # noqa: E402
import terminal  # noqa: E402

SUITE = "loop-held"
MAY_MS, GROSS = 20, 10
ROUNDS = int(os.environ.get("TENON_ROUNDS", "3"))
PINGS_MAX = 1 << 16
# An engine that does nothing: what is measured is what the daemon does around it.
ENGINE = """#!/bin/sh
case $1 in
version) echo '{"terraform_version":"1.9.0"}' ;;
init) mkdir -p .terraform ;;
plan)
	for word; do case $word in -out=*) echo plan > "${word#-out=}" ;; esac; done
	echo '{"@level":"info","@message":"Plan","type":"change_summary","changes":{"add":1,"change":0,"import":0,"remove":0,\
"operation":"plan"}}' ;;
show)
	echo '{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{"address":"terraform_data.alpha",\
"mode":"managed","type":"terraform_data","name":"alpha","provider_name":"terraform.io/builtin/terraform","change":{\
"actions":["create"],"before":null,"after":{},"after_unknown":{},"before_sensitive":false,"after_sensitive":{}}}],\
"applyable":true,"complete":true,"errored":false}' ;;
apply)
	echo '{"@level":"info","@message":"Apply","type":"change_summary","changes":{"add":1,"change":0,"import":0,"remove":0,\
"operation":"apply"}}' ;;
esac
"""


class Pings:
    """Another process, and what it has seen: begin, end (ns) and the loop's processor time of each ping."""

    RECORD = struct.Struct("qqq")

    def __init__(self, url, token, pid):
        self.map = mmap.mmap(-1, 8 + PINGS_MAX * self.RECORD.size)
        self.process = multiprocessing.get_context("fork").Process(target=self.run, args=(url, token, pid), daemon=True)
        self.process.start()
        while self.count() < 3:
            time.sleep(0.01)

    def count(self):
        return struct.unpack_from("q", self.map)[0]

    def run(self, url, token, pid):
        client = studio.Assistant(links.Http(url, token, timeout_s=600), 600)
        number = 0
        while True:
            used, begun = daemon.loop_ns(pid), time.monotonic_ns()
            client.ask("ping", {})
            record = (begun, time.monotonic_ns(), daemon.loop_ns(pid) - used)
            self.RECORD.pack_into(self.map, 8 + number % PINGS_MAX * self.RECORD.size, *record)
            number += 1
            struct.pack_into("q", self.map, 0, number)
            time.sleep(0.0005)

    def during(self, begun, ended):
        """The longest wait, and the most that the loop worked, in ms, of those that touch this time."""
        before = self.count()
        while self.count() < before + 2:
            time.sleep(0.001)
        count = self.count()
        wait = loop = seen = 0
        for number in range(max(0, count - PINGS_MAX + 1), count):
            one = self.RECORD.unpack_from(self.map, 8 + number % PINGS_MAX * self.RECORD.size)
            if one[1] >= begun and one[0] <= ended:
                wait, loop, seen = max(wait, one[1] - one[0]), max(loop, one[2]), seen + 1
        return wait / 1e6, loop / 1e6, seen

    def end(self):
        self.process.kill()
        self.process.join()


class Place:
    """A daemon of its own, an assistant of each app, and the pings."""

    def __init__(self, **env):
        self.tools = os.path.realpath(tempfile.mkdtemp(prefix="tenon-held-"))
        self.engine = self.write(os.path.join(self.tools, "terraform"), ENGINE, 0o755)
        self.home = daemon.Home(TENON_CONSENT="allow", TENON_TERRAFORM=self.engine, CHECKPOINT_DISABLE="1", **env)
        self.child = self.home.foreground(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found = self.home.discovery()
        self.url, self.token, self.pid = found["url"], found["token"], found["pid"]
        self.pings = Pings(self.url + "/mcp/plan", self.token, self.pid)

    @staticmethod
    def write(path, data, mode=0o644):
        with open(path, "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
        os.chmod(path, mode)
        return path

    def client(self, app, kind=studio.Assistant):
        return kind(links.Http(f"{self.url}/mcp/{app}", self.token, timeout_s=600), 600)

    def folder(self, name):
        path = os.path.join(self.home.folder, name)
        os.makedirs(path, exist_ok=True)
        return path

    def held(self, name, work, rounds=ROUNDS, before=None):
        """`work` is done some times; prints what the loop suffered."""
        found = []
        for number in range(rounds):
            if before:
                before(number)
            used, begun = daemon.loop_ns(self.pid), time.monotonic_ns()
            try:
                work()
                said = ""
            except (studio.Fault, terminal.Fault) as fault:
                said = f"  ({str(fault)[:90]})"
            ended, used = time.monotonic_ns(), daemon.loop_ns(self.pid) - used
            wait, loop, _ = self.pings.during(begun, ended)
            found.append((wait, loop, used / 1e6, (ended - begun) / 1e6))
        wait, loop, _, took = (statistics.median(one) for one in zip(*found))
        least = min(one[2] for one in found)
        mark = "  OVER" if min(loop, least) > MAY_MS else ""
        print(f"{name:<60} loop {loop:8.1f}  all {least:8.1f}  wait {wait:8.1f}  call {took:9.1f} ms{mark}{said}", flush=True)
        check.result(min(loop, least) < MAY_MS * GROSS or check.sanitized(), SUITE, name,
                     f"the loop worked {loop:.0f} ms while one ping waited (median of {rounds} rounds)")

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.pings.end()
        self.child.terminate()
        try:
            self.child.wait(20)
        except subprocess.TimeoutExpired:
            pass
        self.home.__exit__(kind, value, trace)
        shutil.rmtree(self.tools, ignore_errors=True)
        return False


# ---- studio: a run's surroundings ----


def new_project(place, client, name):
    path = client.use("new_project", name=name, directoryPath=place.folder("projects"))["project"]["path"]
    client.add("builtin/core/data", label="alpha", properties={"input": "one"})
    return path


def runs():
    with Place() as place:
        client = place.client("studio")
        path = new_project(place, client, "state")
        client.use("run_terraform", command="plan")
        place.held("studio: plan, a small project", lambda: client.use("run_terraform", command="plan"))
        with open(os.path.join(path, "terraform/terraform.tfstate"), "wb") as file:
            for _ in range(60):
                file.write(os.urandom(1 << 20))
        place.held("studio: plan, a state of 60 MiB", lambda: client.use("run_terraform", command="plan"))
        place.held("studio: apply, a state of 60 MiB, 8 plans known",
                   lambda: client.use("run_terraform", command="apply", confirmed=True))
        os.unlink(os.path.join(path, "terraform/terraform.tfstate"))
        for number in range(998):
            place.write(os.path.join(path, f"terraform/own-{number:04}.tf"), f"# {number}\n" + "# text\n" * 14600)
        place.held("studio: plan, 998 own files of 100 KiB", lambda: client.use("run_terraform", command="plan"))
        place.held("studio: apply, 998 own files of 100 KiB",
                   lambda: client.use("run_terraform", command="apply", confirmed=True))
        client.use("close_project", discard=True)
        place.held("studio: open_project, 998 own files of 100 KiB",
                   lambda: client.use("open_project", projectPath=path), rounds=1)
        place.held("studio: refresh of what is deployed, the same", lambda: client.use("get_deployment_status", refresh=True))
        os.mkfifo(os.path.join(path, "terraform/pipe.tf"))
        os.symlink("/dev/zero", os.path.join(path, "terraform/zero.tf"))
        place.held("studio: plan, a FIFO and /dev/zero among them", lambda: client.use("run_terraform", command="plan"))


# ---- studio: large diagrams ----

GROUP, PLAN, NETWORK = ("azurerm/core/resource_group", "azurerm/compute/app_service_plan",
                        "azurerm/networking/virtual_network")
SUBNET, APP, ACCOUNT = ("azurerm/networking/subnet", "azurerm/compute/app_service", "azurerm/storage/storage_account")


def group_of(client, room):
    group = client.use("add_resource", typeId=GROUP)["instanceId"]
    operations = [{"as": "net", "tool": "add_resource", "arguments": {"typeId": NETWORK, "parentId": group}}]
    operations += [{"tool": "add_resource", "arguments": {"typeId": SUBNET, "parentId": "$net.instanceId"}}] * 3
    operations += [{"tool": "add_resource", "arguments": {"typeId": PLAN, "parentId": group}},
                   {"tool": "add_resource", "arguments": {"typeId": ACCOUNT, "parentId": group}}]
    operations += [{"tool": "add_resource", "arguments": {"typeId": APP, "parentId": group}}] * 13
    done = client.use("execute_batch", operations=operations[:room]) if room else {"results": []}
    return [group] + [one["instanceId"] for one in done["results"]]


def wires(ids, count):
    chance = random.Random(7)
    return [{"tool": "connect_resources", "arguments": {"sourceInstanceId": one, "sourceHandle": "node",
                                                        "targetInstanceId": other, "targetHandle": "node"}}
            for one, other in (chance.sample(ids, 2) for _ in range(count))]


def diagrams():
    with Place() as place:
        client = place.client("studio")
        client.use("new_project", name="large", directoryPath=place.folder("projects"))
        ids = []
        while len(ids) < 1000:
            ids += group_of(client, min(19, 1000 - len(ids) - 1))
        for first in range(0, 1500, 500):
            place.held(f"studio: execute_batch, 500 edges on 1,000 nodes and {first} edges",
                       lambda: client.use("execute_batch", operations=wires(ids, 500)), rounds=1)
        group = ids[0]
        place.held("studio: execute_batch, 500 nodes into one group",
                   lambda: client.use("execute_batch", operations=[
                       {"tool": "add_resource", "arguments": {"typeId": PLAN, "parentId": group}}] * 500), rounds=1)
        place.held("studio: undo_change of that", lambda: client.use("undo_change"), rounds=1)
        place.held("studio: redo_change of that", lambda: client.use("redo_change"), rounds=1)
        client.use("undo_change")
        calls = {"get_diagram": {}, "list_resources": {}, "validate_diagram": {}, "estimate_costs": {},
                 "generate_hcl": {"write": False}, "update_resource": {"instanceId": ids[5], "properties": {"worker_count": 2}},
                 "move_resource": {"instanceId": ids[4], "position": {"x": 10, "y": 10}}, "save_project": {}}
        for name, arguments in calls.items():
            place.held(f"studio: {name}, 1,000 nodes, 1,500 edges", lambda: client.use(name, **arguments))
        place.held("studio: get_diagram, all of it", lambda: client.use("get_diagram", include=["layout", "defaults", "diagnostics",
                                                                                          "addresses", "costs"]))
        for kind in ("svg", "png", "json"):
            place.held(f"studio: export_diagram, {kind}", lambda: client.use("export_diagram", format=kind))
        for way in ("LR", "TB"):
            place.held(f"studio: layout_diagram, {way}", lambda: client.use("layout_diagram", direction=way), rounds=1)
        place.held("studio: remove_resource, a group of it", lambda: client.use("remove_resource", instanceId=ids[20]),
                   rounds=1)


# ---- studio: what its page calls (SC-028) ----

REGION, VAULT, ADDRESS = "_annotation/general/region", "azurerm/security/key_vault", "azurerm/networking/public_ip"


def board(client, nodes, edges):
    """A diagram of so many nodes, nested four deep, and edges between any two of them, no pair twice."""
    ids, room = [], nodes
    while room > 0:
        some = [{"as": "region", "tool": "add_resource", "arguments": {"typeId": REGION}},
                {"as": "group", "tool": "add_resource", "arguments": {"typeId": GROUP, "parentId": "$region.instanceId"}},
                {"as": "net", "tool": "add_resource", "arguments": {"typeId": NETWORK, "parentId": "$group.instanceId"}}]
        some += [{"tool": "add_resource", "arguments": {"typeId": SUBNET, "parentId": "$net.instanceId"}}] * 6
        some += [{"tool": "add_resource", "arguments": {"typeId": kind, "parentId": "$group.instanceId"}}
                 for kind in (PLAN, ACCOUNT, VAULT, ADDRESS) + (APP,) * 7]
        ids += [one["instanceId"] for one in client.use("execute_batch", operations=some[:room])["results"]]
        room -= len(some)
    chance, pairs = random.Random(7), set()
    while len(pairs) < edges:
        pairs.add(tuple(chance.sample(ids, 2)))
    pairs = sorted(pairs)
    for first in range(0, len(pairs), 250):
        client.use("execute_batch", operations=[{"tool": "connect_resources", "arguments": {
            "sourceInstanceId": one, "sourceHandle": "node", "targetInstanceId": other, "targetHandle": "node"}}
            for one, other in pairs[first:first + 250]])
    return ids


EVERYTHING = ["layout", "defaults", "diagnostics", "addresses", "costs"]


def canvas():
    with Place() as place:
        client = place.client("studio")
        path = client.use("new_project", name="board", directoryPath=place.folder("projects"))["project"]["path"]
        ids = board(client, 1000, 1500)
        whole = client.use("get_diagram", include=["layout"])
        kinds = {one["id"]: one["typeId"] for one in whole["nodes"]}
        print(f"# {len(whole['nodes'])} nodes, {len(whole['edges'])} edges with those of references")
        place.held("nothing but pings", lambda: time.sleep(0.2))
        groups = [one for one in ids if kinds[one] == GROUP]
        plans = [one for one in ids if kinds[one] == PLAN]
        apps = [one for one in ids if kinds[one] == APP]
        calls = [("get_diagram", {}), ("get_diagram", {"include": EVERYTHING}), ("list_resources", {}),
                 ("get_available_resource_types", {"detail": "full"}), ("get_project_config", {}), ("list_changes", {}),
                 ("list_projects", {}), ("get_deployment_status", {}), ("get_deployment_status", {"detail": True}),
                 ("validate_diagram", {}), ("estimate_costs", {}), ("generate_hcl", {"write": False}), ("generate_hcl", {}),
                 ("save_project", {}),
                 ("add_resource", {"typeId": PLAN, "parentId": groups[0]}),
                 ("update_resource", {"instanceId": plans[3], "properties": {"worker_count": 2}}),
                 ("move_resource", {"instanceId": plans[4], "position": {"x": 10, "y": 10}}),
                 ("move_resource", {"instanceId": groups[4], "position": {"x": 4000, "y": 9000}}),
                 ("connect_resources", {"sourceInstanceId": plans[5], "sourceHandle": "node", "targetInstanceId": apps[90],
                                        "targetHandle": "node"}),
                 ("set_project_config", {"config": {"tags": {"team": "one"}}}),
                 ("undo_change", {}), ("redo_change", {}),
                 ("run_terraform", {"command": "plan", "force": True}), ("get_deployment_status", {"refresh": True}),
                 ("run_terraform", {"command": "apply", "confirmed": True, "force": True}),
                 ("run_terraform", {"command": "destroy", "confirmed": True, "force": True})]
        for name, arguments in calls:
            told = ", ".join(f"{key}: {json.dumps(value)[:40]}" for key, value in arguments.items() if "nstanceId" not in key)
            place.held(f"studio: {name} {told}"[:60], lambda: client.use(name, **arguments))
        for uri in ("terrastudio://diagram/current", "studio://problems/current", "studio://costs/current",
                    "studio://status/current", "studio://types", "studio://look", "terrastudio://hcl/main.tf"):
            place.held(f"studio: resources/read {uri}", lambda: client.ask("resources/read", {"uri": uri}))
        place.held("studio: resources/list", lambda: client.ask("resources/list"))
        many = [{"tool": "add_resource", "arguments": {"typeId": PLAN, "parentId": groups[1]}}] * 500
        place.held("studio: execute_batch, 500 nodes into one group", lambda: client.use("execute_batch", operations=many))
        place.held("studio: undo_change of one such", lambda: client.use("undo_change"))
        wanted = [{"tool": "update_resource", "arguments": {"instanceId": one, "properties": {"https_only": True}}}
                  for one in apps[:300]]
        place.held("studio: execute_batch, 300 changed properties", lambda: client.use("execute_batch", operations=wanted))
        place.held("studio: execute_batch, 250 edges", lambda: client.use("execute_batch", operations=wires(ids, 250)))
        for kind in ("svg", "png", "markdown", "mermaid", "csv", "json"):
            place.held(f"studio: export_diagram, {kind}", lambda: client.use("export_diagram", format=kind))
        place.held("studio: export_diagram, png of 4 times the size of a group",
                   lambda: client.use("export_diagram", format="png", options={"scale": 4, "selection": [groups[7]]}))
        for way in ("LR", "TB"):
            place.held(f"studio: layout_diagram, {way}", lambda: client.use("layout_diagram", direction=way), rounds=1)
        place.held("studio: remove_resource, a group of it", lambda: client.use("remove_resource", instanceId=groups[9]), rounds=1)
        client.use("save_project")
        place.held("studio: close_project", lambda: client.use("close_project"), rounds=1)
        place.held("studio: open_project", lambda: client.use("open_project", projectPath=path), rounds=1)
        client.use("new_project", name="other", directoryPath=place.folder("projects"))
        place.held("studio: import_terraform of what was generated",
                   lambda: client.use("import_terraform", source="config", path=os.path.join(path, "terraform"),
                                      dryRun=True), rounds=1)
        place.held("studio: import_terraform, the same, kept",
                   lambda: client.use("import_terraform", source="config", path=os.path.join(path, "terraform")), rounds=1)


# ---- studio: as large as diagrams may be ----


def blocks(count):
    """Configuration of so many resources of 100 groups."""
    text = [f'resource "azurerm_resource_group" "g{number}" {{\n  name     = "g{number}"\n  location = "eastus"\n}}\n'
            for number in range(100)]
    text += [f'resource "azurerm_service_plan" "p{number}" {{\n  name                = "p{number}"\n'
             f'  location            = azurerm_resource_group.g{number % 100}.location\n'
             f'  resource_group_name = azurerm_resource_group.g{number % 100}.name\n'
             f'  os_type             = "Linux"\n  sku_name            = "B1"\n}}\n' for number in range(count - 100)]
    return "".join(text)


def ring(path, count):
    """A project whose groups stand in each other all round."""
    nodes = [{"id": f"n{number}", "typeId": GROUP, "label": f"N {number}", "terraformName": f"n{number}",
              "parentId": f"n{(number + 1) % count}"} for number in range(count)]
    with open(os.path.join(path, "diagram.json"), "w", encoding="utf-8") as file:
        json.dump({"formatVersion": 1, "revision": 1, "nodes": nodes, "edges": []}, file)
    for name in os.listdir(os.path.join(path, ".tenon")):
        if name != "trust":
            os.unlink(os.path.join(path, ".tenon", name))


def large():
    with Place() as place:
        client = place.client("studio")
        source = place.folder("source")
        place.write(os.path.join(source, "main.tf"), blocks(2000))
        path = client.use("new_project", name="imported", directoryPath=place.folder("projects"))["project"]["path"]
        for name, tool, arguments in (("import_terraform, 2,000 blocks", "import_terraform", {"source": "config", "path": source}),
                                      ("undo_change of that", "undo_change", {}), ("redo_change of that", "redo_change", {}),
                                      ("undo_change once more", "undo_change", {})):
            place.held(f"studio: {name}", lambda: client.use(tool, **arguments), rounds=1)
        place.write(os.path.join(source, "main.tf"), blocks(9500))
        place.held("studio: import_terraform, 9,500 blocks",
                   lambda: client.use("import_terraform", source="config", path=source), rounds=1)
        place.held("studio: undo_change of that", lambda: client.use("undo_change"), rounds=1)
        place.held("studio: redo_change of that", lambda: client.use("redo_change"), rounds=1)
        for name, arguments in (("get_diagram", {}), ("get_diagram", {"include": EVERYTHING}), ("list_resources", {}),
                                ("generate_hcl", {"write": False}), ("validate_diagram", {}), ("estimate_costs", {})):
            place.held(f"studio: {name} of 9,500 nodes{', all' if arguments.get('include') else ''}",
                       lambda: client.use(name, **arguments), rounds=1)
        place.held("studio: set_project_config of 1,000 values", lambda: client.use("set_project_config", config={
            "variableValues": {f"some_name_of_a_variable_{number}": "value" for number in range(1000)}}), rounds=1)
        place.held("studio: save_project of 9,500 nodes", lambda: client.use("save_project"), rounds=1)
        one = client.use("add_resource", typeId=GROUP)["instanceId"]
        place.held("studio: close_project with discard of 9,500 nodes",
                   lambda: client.use("close_project", discard=True), rounds=1)
        place.held("studio: open_project of 9,500 nodes", lambda: client.use("open_project", projectPath=path), rounds=1)
        check.need(one not in json.dumps(client.use("list_resources", typeId=GROUP, limit=1000)), "it was dropped")
        place.held("studio: close_project of 9,500 nodes", lambda: client.use("close_project"), rounds=1)
        path = client.use("new_project", name="ring", directoryPath=place.folder("projects"))["project"]["path"]
        client.use("close_project")
        ring(path, 9500)
        place.held("studio: open_project, 9,500 nodes in a ring", lambda: client.use("open_project", projectPath=path), rounds=1)
        place.held("studio: get_diagram of it", lambda: client.use("get_diagram", include=EVERYTHING), rounds=1)


# ---- terminal: what a run reads ----


def scripts():
    with Place() as place:
        client = place.client("terminal", terminal.Assistant)
        folder = place.folder("work")

        def run(command, **more):
            return client.run(command, isolated=True, cwd=folder, timeout_ms=20000, **more)

        place.held("terminal: true", lambda: run("true"))
        text = "true # " + "x" * 57 + "\n"
        for number in range(64):
            place.write(os.path.join(folder, f"s{number}.sh"), text * (32 * 1024 // len(text)))
        every = "; ".join(f"sh s{number}.sh" for number in range(64))
        place.held("terminal: 64 scripts of 32 KiB, commands in each line", lambda: run(every))
        text = "# " + "x" * 61 + "\n"
        for number in range(64):
            place.write(os.path.join(folder, f"s{number}.sh"), text * (32 * 1024 // len(text)))
        place.held("terminal: 64 scripts of 32 KiB, comments", lambda: run(every))
        for number in range(8):
            place.write(os.path.join(folder, f"large{number}.py"), b"#" + b"x" * (256 * 1024 - 2) + b"\n")
        place.held("terminal: 8 files of 256 KiB for python",
                   lambda: run("; ".join(f"python3 large{number}.py" for number in range(8))))
        names = [place.folder(f"work/p{number}") for number in range(32)]
        place.held("terminal: 64 names that 32 folders of PATH do not have",
                   lambda: run("; ".join(f"nothing-{number}" for number in range(64)), env={"PATH": ":".join(names)}))
        place.held("terminal: both, the 64 scripts and the 64 names",
                   lambda: run(every + "; " + "; ".join(f"nothing-{number}" for number in range(64)),
                               env={"PATH": ":".join(names) + ":/usr/bin:/bin"}))
        place.held("terminal: 200 names, a PATH of 30,000 folders",
                   lambda: run("; ".join(f"nothing-{number}" for number in range(200)), env={"PATH": "/n:" * 30000}),
                   rounds=1)
        place.held("terminal: a text of 1 MiB", lambda: run(":;" * (1 << 18) + "#" * (1 << 18)), rounds=1)
        place.held("terminal: 4,000 commands", lambda: run("true\n" * 4000))
        odd = {"a FIFO": lambda path: os.mkfifo(path), "/dev/zero": lambda path: os.symlink("/dev/zero", path),
               "/proc/kmsg": lambda path: os.symlink("/proc/kmsg", path), "a sparse file of 10 GiB": sparse,
               "a socket": listening}
        for name, make in odd.items():
            path = os.path.join(folder, "odd.sh")
            make(path)
            place.held(f"terminal: a script that is {name}", lambda: run("timeout 0.2 sh odd.sh < /dev/null"))
            os.unlink(path)
        many = place.folder("many")
        for number in range(100000):
            os.mknod(os.path.join(many, f"n{number}"))
        place.held("terminal: a directory of 100,000 entries",
                   lambda: client.run("true *; make; python3 .", isolated=True, cwd=many, timeout_ms=20000))
        session = client.create(cwd=folder)
        for name, lines in (("empty", "\n" * (1 << 20)), ("that go on", "a\\\n" * 20000), ("with a command", "true\n" * 1000)):
            place.held(f"terminal: send_keys, lines {name}", lambda: client.use("send_keys", session_id=session, text=lines))
        session = client.create(cwd=folder)
        place.held("terminal: the 64 scripts in a session", lambda: client.run(every, session_id=session))


def sparse(path):
    with open(path, "wb") as file:
        file.truncate(10 << 30)


def listening(path):
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(path)


# ---- who is at the other end ----


def sleepers(count, keep=()):
    """A shell with so many children, which have `keep` open."""
    text = f"i=0; while [ $i -lt {count} ]; do sleep 600 & i=$((i+1)); done; echo; wait"
    shell = subprocess.Popen(["sh", "-c", text], stdout=subprocess.PIPE, pass_fds=keep, start_new_session=True)
    shell.stdout.readline()
    return shell


def end_sleepers(shell):
    os.killpg(shell.pid, signal.SIGKILL)
    shell.wait()
    shell.stdout.close()


def holders():
    with Place() as place:
        place.held("callers: a new connection, a quiet machine", lambda: place.client("plan").link.close())
        others = sleepers(5000)
        place.held("callers: a new connection among 5,000 processes", lambda: place.client("plan").link.close())
        end_sleepers(others)

        client = place.client("plan")
        kept = [fd.fileno() for fd in client.link.idle]
        held = sleepers(2000, kept)
        place.held("callers: a call on a connection that 2,000 processes hold", lambda: client.ask("tools/list"))

        def again():
            with socket.create_connection((client.link.at.hostname, client.link.at.port)) as fd:
                many = sleepers(2000, (fd.fileno(),))
                fd.sendall(f"GET /metrics HTTP/1.1\r\nHost: {client.link.at.netloc}\r\nAuthorization: Bearer "
                           f"{place.token}\r\nConnection: close\r\n\r\n".encode())
                while fd.recv(65536):
                    pass
                end_sleepers(many)

        place.held("callers: the first call of one that 2,000 processes hold", again)
        end_sleepers(held)


# ---- floor plans, plans ----


def rooms(count):
    """A grid of rooms of three metres, with a door between each and the next."""
    wide = 70
    lines = ["%%{version: 1.0}%%", "floorplan", "  floor f {"]
    for number in range(count):
        lines.append(f"    room R{number} at ({number % wide * 3}, {number // wide * 3}) size (3 x 3) walls [top: solid, "
                     f"right: solid, bottom: solid, left: solid]")
    return "\n".join(lines + ["  }", ""])


def floors():
    with Place() as place:
        client = place.client("floorplan")
        text = rooms(5000)
        for name, arguments in {"validate_floorplan": {}, "render_floorplan": {"format": "png"}, "analyze_floorplan": {},
                                "export_floorplan": {"format": "svg"}}.items():
            place.held(f"floorplan: {name}, 5,000 rooms", lambda: client.use(name, dsl=text, **arguments))
        edits = [{"action": "rename_room", "target": f"R{number}", "params": {"newName": f"Q{number}"}} for number in range(500)]
        place.held("floorplan: modify_floorplan, 500 renames", lambda: client.use("modify_floorplan", dsl=text,
                                                                                  operations=edits))
        one = client.use("open_floorplan", dsl=text)["document"]
        place.held("floorplan: modify_floorplan of an open document",
                   lambda: client.use("modify_floorplan", document=one, operations=edits[:1]), rounds=1)
        place.held("floorplan: undo_floorplan of it", lambda: client.use("undo_floorplan", document=one), rounds=1)
        place.held("floorplan: write_floorplan of it", lambda: client.use("write_floorplan", document=one, dsl=rooms(4999)))


def plan_text(size):
    block = ("  # aws_instance.web[{0}] will be created\n  + resource \"aws_instance\" \"web\" {{\n" +
             "".join(f"      + attribute_{number:02} = \"a value that is some words long\"\n" for number in range(30)) +
             "    }}\n\n")
    blocks = size // len(block)
    return ("Terraform will perform the following actions:\n\n" + "".join(block.format(n) for n in range(blocks)) +
            f"Plan: {blocks} to add, 0 to change, 0 to destroy.\n")


def plans():
    with Place() as place:
        client = place.client("plan")
        for mib in (5, 15):
            text = plan_text(mib << 20)
            place.held(f"plan: terraform_parse, {mib} MiB of text", lambda: client.use("terraform_parse", plan_text=text))
        path = place.write(os.path.join(place.folder("plans"), "plan.txt"), plan_text(20 << 20))
        place.held("plan: terraform_parse, a file of 20 MiB", lambda: client.use("terraform_parse", plan_path=path))
        place.held("plan: terraform_explain of 5 MiB", lambda: client.use("terraform_explain", plan_text=plan_text(5 << 20)))
        found = client.use("terraform_parse", plan_text=plan_text(5 << 20))
        one = found.get("plan_id") or found.get("planId")
        for name, arguments in {"terraform_parse": {}, "terraform_explain": {}, "terraform_risk": {}}.items():
            place.held(f"plan: {name} of a plan_id of 5 MiB", lambda: client.use(name, plan_id=one, **arguments))


# ---- workbench: as large as section 21 lets things be ----

TYPES, CLAIMS, DRAFTS, INSTANCES = 5000, 40000, 9000, 10000


def a_type(number):
    return {"displayName": f"Type {number}", "props": {
        f"p{prop}": {"label": f"Prop {prop}", "exposure": {"kind": "editable", "control": {"kind": "string"}}} for prop in range(5)}}


def a_draft(number, value="one"):
    return {"instanceId": f"i{number:05}", "path": "/p0", "value": value, "componentTypeId": f"big.type{number % TYPES}",
            "instanceLocator": {"kind": "jsxSite", "file": "src/App.tsx", "line": number + 1, "column": 3, "ordinal": 0}}


def set_of(number, value):
    return {"op": "set", **a_draft(number, value)}


def big_workspace(place):
    folder = place.folder("big")
    os.makedirs(os.path.join(folder, ".skaffa"))
    place.write(os.path.join(folder, "package.json"), '{"name":"big"}')
    place.write(os.path.join(folder, "skaffa.config.json"), '{"modules":["./big.module.json"]}')
    place.write(os.path.join(folder, "big.module.json"), json.dumps({"schemaVersion": "v0", "id": "big", "registry": {
        "schemaVersion": "v0", "components": {f"big.type{number}": a_type(number) for number in range(TYPES)}}}))
    place.write(os.path.join(folder, ".skaffa/overrides.v0.json"), json.dumps({
        "schemaVersion": "v0", "updatedAt": "2026-01-31T08:44:40.000Z",
        "app": {"overrides": [a_draft(number) for number in range(DRAFTS)]}}))
    return folder


def claims(count, revision, mark=""):
    return {"schemaVersion": "v0", "revision": revision, "edges": [], "nodes": [
        {"kind": "componentType", "id": f"far.type{number:06}", "displayName": f"Far {number}{mark}"} for number in range(count)]}


def put(place, what, document, method="PUT"):
    with urllib.request.urlopen(urllib.request.Request(
            f"{place.url}/api/v0/graph/producers/{what}", json.dumps(document).encode() if document else None, method=method,
            headers={"Authorization": f"Bearer {place.token}", "Content-Type": "application/json"}), timeout=600) as answer:
        return json.load(answer)


def big_page(started):
    """A page that reports as many instances, and reads whatever it is sent."""
    page = preview.Adapter(preview.block_of(preview.fetch(started["url"].rstrip("/"))[1]), origin=started["url"].rstrip("/"))
    page.say("runtime.ready", key=page.block["key"], adapterId="bench", adapterVersion="1",
             capabilities={"selection": True, "overrides": True, "instances": True},
             page={"pageId": "p", "url": started["url"], "title": "T"})
    page.hear("host.init")
    for first in range(0, INSTANCES, 1000):
        page.say("runtime.instances", full=first == 0, remove=[], upsert=[
            {"instanceId": f"i{number:05}", "componentTypeId": f"big.type{number % TYPES}", "props": {"p0": "zero"},
             "instanceLocator": a_draft(number)["instanceLocator"]} for number in range(first, first + 1000)])
        time.sleep(0.1)
    threading.Thread(target=lambda: [None for _ in iter(page.frame, None)], daemon=True).start()
    return page


def workbenches():
    with Place(TENON_WORKBENCH_ACTUATION="allow") as place, preview.served(os.path.join(core.ROOT, "demo/plain")) as port:
        folder = big_workspace(place)
        own = person.do("ask", path=place.home.runtime("person.sock"))["token"]
        one = studio.Assistant(links.WebSocket(place.url.replace("http", "ws") + "/ws/workbench", own), 600)
        client = place.client("workbench")
        read = lambda uri: client.ask("resources/read", {"uri": f"skaffa://{uri}"})

        def opened():
            one.use("workbench_open_workspace", path=folder)
            while json.loads(read("server/info")["result"]["contents"][0]["text"])["data"]["state"] == "loading":
                time.sleep(0.05)

        place.held(f"workbench: open, {TYPES} types, {DRAFTS} drafts", opened, rounds=1)
        for number in range(3):
            place.held(f"workbench: PUT a snapshot of {CLAIMS} nodes, {('new', 'other', 'the same')[number]}",
                       lambda: put(place, "far/snapshot", claims(CLAIMS, number, "x" * min(number, 1))), rounds=1)
        place.held("workbench: workbench_put_graph_snapshot of as many", lambda: one.use(
            "workbench_put_graph_snapshot", producerId="near", snapshot=claims(CLAIMS, 1)), rounds=1)
        place.held("workbench: workbench_delete_producer of that", lambda: one.use(
            "workbench_delete_producer", producerId="near"), rounds=1)
        place.held("workbench: POST a patch of 20,000 ops", lambda: put(place, "far/patch", {
            "schemaVersion": "v0", "revision": 9, "ops": [{"op": "upsertNode", "node": one_node} for one_node in
                                                          claims(20000, 9, "y")["nodes"]]}, "POST"), rounds=1)
        place.held("workbench: PUT a snapshot of 150,000 nodes", lambda: put(place, "far/snapshot", claims(150000, 10)), rounds=1)
        place.held("workbench: PUT nothing again", lambda: put(place, "far/snapshot", claims(0, 11)), rounds=1)
        put(place, "far/snapshot", claims(CLAIMS, 12))
        started = one.use("workbench_start_preview", target={"type": "app", "url": f"http://localhost:{port}/"}, wait="none")["session"]
        page = [None]

        def shown():
            page[0] = big_page(started)

        place.held(f"workbench: a page with {INSTANCES} instances, {DRAFTS} drafts", shown, rounds=1)
        session = started["sessionId"]
        for uri in ("workspace/registry", "workspace/registry/index", "workspace/registry/big.type77", "workspace/graph",
                    "workspace/graph/patches", "workspace/graph/patches?epoch=x&since=0", "workspace/overrides",
                    "workspace/overrides/save-plan", "preview/sessions", "preview/selection",
                    f"preview/sessions/{session}/instances", f"preview/sessions/{session}/graph", f"preview/sessions/{session}/logs"):
            place.held(f"workbench: read {uri.replace(session, '*')}", lambda: read(uri))
        for tool, arguments in {"workbench_get_selection": {}, "workbench_list_components": {},
                                "workbench_list_components ": {"query": "type4999"}, "workbench_get_component": {"typeId": "big.type7"},
                                "workbench_get_component ": {"typeId": "big.typo"}, "workbench_list_instances": {},
                                "workbench_read_state": {"uri": "skaffa://workspace/overrides"}}.items():
            place.held(f"workbench: {tool} {arguments}"[:60], lambda: client.use(tool.strip(), **arguments))
        follower = place.client("workbench")
        for uri in ("workspace/overrides", "workspace/overrides/save-plan", "workspace/graph", "preview/selection"):
            follower.ask("resources/subscribe", {"uri": f"skaffa://{uri}"})
        turn = iter(range(1000))
        apply = lambda ops, **more: client.use("workbench_apply_overrides", sessionId=session, ops=ops, **more)
        place.held("workbench: a batch of 1 op among the drafts", lambda: apply([set_of(5, f"v{next(turn)}")]))
        place.held("workbench: a batch of 200 ops among them",
                   lambda: apply([set_of(number, f"v{next(turn)}") for number in range(200)]))
        place.held("workbench: a dry run of 200 ops",
                   lambda: apply([set_of(number, "dry") for number in range(200)], dryRun=True))
        place.held("workbench: undo of 200 ops", lambda: client.use("workbench_undo"))
        place.held("workbench: statuses of all drafts", lambda: (page[0].say("runtime.overrideStatus", orphaned=[], applied=[
            {"instanceId": f"i{number:05}", "path": "/p0"} for number in range(DRAFTS)]), time.sleep(0.5)))
        place.held("workbench: the page goes", lambda: (page[0].end(), time.sleep(0.5)), rounds=1)
        place.held("workbench: the page comes again", shown, rounds=1)
        place.held("workbench: the file is another", lambda: (place.write(
            os.path.join(folder, ".skaffa/overrides.v0.json"), json.dumps({
                "schemaVersion": "v0", "updatedAt": "2026-01-31T08:44:40.000Z",
                "app": {"overrides": [a_draft(number, "two") for number in range(DRAFTS)]}})), time.sleep(2)), rounds=1)
        place.held("workbench: clearAll", lambda: apply([{"op": "clearAll"}]), rounds=1)
        place.held("workbench: undo of that", lambda: client.use("workbench_undo"), rounds=1)
        page[0].fd.shutdown(socket.SHUT_RDWR)
        place.held("workbench: stop", lambda: one.use("workbench_stop_preview", sessionId=session), rounds=1)
        place.held("workbench: close", lambda: one.use("workbench_close_workspace"), rounds=1)


PARTS = {"studio": runs, "canvas": canvas, "diagram": diagrams, "large": large, "terminal": scripts, "callers": holders, "floorplan": floors,
         "plan": plans, "workbench": workbenches}


def main():
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
