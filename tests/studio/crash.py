#!/usr/bin/env python3
"""crash.py - kill -9 in the middle of random changes: what was acknowledged is there, and nothing else.

ROUNDS rounds (5; CRASH_ROUNDS), OPERATIONS operations altogether (500; CRASH_OPERATIONS). Each round sends random
edits several at a time, kills the process at a random moment, starts another one on the same project, and compares
the diagram with a model of what was acknowledged. One unacknowledged edit may have happened (ST-014): those that were
in flight are tried in order.
"""
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import links  # noqa: E402
import studio  # noqa: E402
from check import Step, need  # noqa: E402
import check  # noqa: E402

ROUNDS = int(os.environ.get("CRASH_ROUNDS", "5"))
OPERATIONS = int(os.environ.get("CRASH_OPERATIONS", "500"))
GROUP, NETWORK, PLAN = ("azurerm/core/resource_group", "azurerm/networking/virtual_network",
                        "azurerm/compute/app_service_plan")


class Model:
    """What must be there: label, parent and one value of each node, by id."""

    def __init__(self):
        self.nodes, self.undo, self.redo, self.revision = {}, [], [], None

    def copy(self):
        return {key: dict(value) for key, value in self.nodes.items()}

    def change(self):
        self.undo.append(self.copy())
        self.redo.clear()

    def below(self, root):
        found = {root}
        while True:
            more = {key for key, node in self.nodes.items() if node["parent"] in found} - found
            if not more:
                return found
            found |= more

    def apply(self, operation, answer):
        tool, given = operation
        if tool == "add_resource":
            self.change()
            self.nodes[answer["instanceId"]] = {"label": answer["label"], "parent": given.get("parentId"), "count": None}
        elif tool == "update_resource":
            before = self.nodes[given["instanceId"]]["count"]
            if before != given["properties"]["worker_count"]:
                self.change()
                self.nodes[given["instanceId"]]["count"] = given["properties"]["worker_count"]
        elif tool == "remove_resource":
            self.change()
            for key in self.below(given["instanceId"]):
                del self.nodes[key]
        elif tool == "undo_change":
            self.redo.append(self.copy())
            self.nodes = self.undo.pop()
        elif tool == "redo_change":
            self.undo.append(self.copy())
            self.nodes = self.redo.pop()


def shape(diagram):
    return {node["id"]: {"label": node["label"], "parent": node.get("parentId"),
                         "count": node["properties"].get("worker_count")} for node in diagram["nodes"]}


def choose(model, chance):
    """An operation that the model allows as it is now."""
    groups = [key for key in model.nodes if not model.nodes[key]["parent"]]
    others = [key for key in model.nodes if model.nodes[key]["parent"]]
    dice = chance.random()
    if dice < 0.08 and model.undo:
        return "undo_change", {}
    if dice < 0.12 and model.redo:
        return "redo_change", {}
    if dice < 0.22 and len(others) > 4:
        return "remove_resource", {"instanceId": chance.choice(others if dice < 0.21 else groups)}
    plans = [key for key in others if model.nodes[key]["label"].startswith("Plan")]
    if dice < 0.55 and plans:
        return "update_resource", {"instanceId": chance.choice(plans),
                                   "properties": {"worker_count": chance.randint(2, 30)}}
    if not groups or dice < 0.62:
        return "add_resource", {"typeId": GROUP, "label": f"Group {chance.random()}"}
    kind, label = (PLAN, "Plan") if dice < 0.9 else (NETWORK, "Network")
    return "add_resource", {"typeId": kind, "parentId": chance.choice(groups), "label": f"{label} {chance.random()}"}


def edit(place, model, chance, count, kill_after):
    """Returns the operation that was in flight when it was killed, or None."""
    for number in range(count):
        operation = choose(model, chance)
        waiting = place.client.begin(operation[0], **operation[1])
        if number == kill_after:
            # At any moment between the first byte read and the answer written.
            links.time.sleep(chance.random() * 0.003)
            place.kill()
            return operation
        model.apply(operation, place.client.end(waiting))
    return None


def possible(model, operation, nodes):
    """What is there is what was acknowledged, or that and the one that was in flight."""
    if nodes == model.nodes:
        return True
    tool, given = operation
    if tool == "add_resource":
        new = [key for key in nodes if key not in model.nodes]
        if len(new) != 1:
            return False
        answer = {"instanceId": new[0], "label": nodes[new[0]]["label"]}
    else:
        answer = {}
    model.apply((tool, given), answer)
    return nodes == model.nodes


def salvaged():
    """A project that was killed, and one bit of its journal turned: refused, mended, and as it was before that line."""
    with studio.Served() as place, Step("studio-crash", "tenon doctor --repair keeps what stands before a bad line"):
        project = os.path.join(place.folder, "p")
        journal = os.path.join(project, ".tenon", "document.journal")
        place.client.use("new_project", name="p", directoryPath=place.folder)
        for number in range(6):
            place.client.use("add_resource", typeId=GROUP, label=f"Group {number}")
        place.kill()
        with open(journal, "r+b") as file:
            lines = file.read().splitlines(keepends=True)
            bad = len(lines) - 2  # the fifth of six changes
            at = sum(map(len, lines[:bad])) + len(lines[bad]) // 2
            file.seek(at)
            file.write(bytes([lines[bad][len(lines[bad]) // 2] ^ 1]))
        with open(journal, "rb") as file:
            damaged = file.read()
        place.start()
        need(place.client.code_of("open_project", projectPath=project) == "PROJECT_INVALID", "it was opened")
        done = subprocess.run([studio.daemon.TENON, "doctor", "--repair", project], env=place.env, text=True,
                              capture_output=True, timeout=60, check=False)
        need(done.returncode == 0 and "1 mended, 0 could not be" in done.stdout, f"{done.stdout} {done.stderr}")
        copies = [name for name in os.listdir(os.path.dirname(journal)) if ".damaged-" in name]
        need(len(copies) == 1, f"copies: {copies}")
        with open(os.path.join(os.path.dirname(journal), copies[0]), "rb") as file:
            need(file.read() == damaged, "the copy is another file")
        place.client.use("open_project", projectPath=project)
        labels = sorted(node["label"] for node in place.client.diagram()["nodes"])
        need(labels == [f"Group {number}" for number in range(4)], f"{labels} are there")


def main():
    salvaged()
    seed = int(os.environ.get("CRASH_SEED", str(random.randrange(1 << 30))))
    chance, model = random.Random(seed), Model()
    with studio.Served() as place:
        project = os.path.join(place.folder, "p")
        place.client.use("new_project", name="p", directoryPath=place.folder)
        each = OPERATIONS // ROUNDS
        for number in range(ROUNDS):
            with Step("studio-crash", f"round {number + 1}, seed {seed}"):
                operation = edit(place, model, chance, each, chance.randrange(each // 2, each))
                place.start()
                opened = place.client.use("open_project", projectPath=project)
                need(opened["project"]["dirty"] and opened["recovered"], f"not told: {opened['project']}")
                nodes = shape(opened["diagram"])
                need(possible(model, operation, nodes),
                     f"after {operation}: {len(nodes)} nodes, {len(model.nodes)} expected")
                listed = place.client.use("list_changes", limit=1000)
                need(listed["revision"] == opened["diagram"]["revision"], "another revision")
        with Step("studio-crash", "all is undone, and done again"):
            # Where the rounds ended with something undone: to where doing it again leads.
            while place.client.code_of("redo_change", steps=50) is None:
                pass
            final = shape(place.client.diagram())
            while place.client.code_of("undo_change", steps=50) is None:
                pass
            undone = shape(place.client.diagram())
            need(len(undone) < len(final) or not final, "nothing was undone")
            while place.client.code_of("redo_change", steps=50) is None:
                pass
            need(shape(place.client.diagram()) == final, "another diagram after undo and redo")
            place.client.use("save_project")
    return 1 if check.failures else 0


sys.exit(main())
