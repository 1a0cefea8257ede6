#!/usr/bin/env python3
"""undo.py - undo of one's own among others (studio-canvas.md SC-019), against a real daemon: what every actor sees, and
a property: after hundreds of random acts of three, each takes back its own, and no other change is lost."""
import json
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import daemon  # noqa: E402
import links  # noqa: E402
import studio  # noqa: E402
from check import Step, need  # noqa: E402
import check  # noqa: E402

GROUP, PLAN, NETWORK, SUBNET, APP = (
    "azurerm/core/resource_group", "azurerm/compute/app_service_plan", "azurerm/networking/virtual_network",
    "azurerm/networking/subnet", "azurerm/compute/app_service")
BOX = "_annotation/general/region"
DERIVED = {"id", "instanceId", "typeId", "typeName", "deploymentStatus", "effectiveName", "effectiveReferences",
           "terraformType", "layout", "rev"}


class Actor(studio.Assistant):
    """A client with a name of its own: what is one's own goes by it."""

    def __init__(self, home, name):
        self.name = name
        super().__init__(links.Stdio([daemon.TENON, "mcp", "studio"], env=home.env))

    def start(self, method, params=None, number=None):
        if method == "initialize":
            params = {**params, "clientInfo": {"name": self.name, "version": "1"}}
        return super().start(method, params, number)


def members(prefix, value):
    """What is changed by itself: an object counts by its members."""
    if isinstance(value, dict) and value and prefix not in ("position", "size"):
        return {name: one for key, each in value.items() for name, one in members(f"{prefix}.{key}", each).items()}
    return {prefix: value} if value != {} else {}


def flat(diagram, config):
    """(id, member) to value: what an act can change by itself."""
    found = {("config", name): value for key, each in config.items() for name, value in members(key, each).items()}
    for node in diagram["nodes"]:
        found[node["instanceId"], "is"] = node["typeId"]
        for key, each in node.items():
            if key not in DERIVED:
                found |= {(node["instanceId"], name): value for name, value in members(key, each).items()}
    for edge in diagram["edges"]:
        if not edge.get("derived"):
            found[edge["id"], "edge"] = studio.bare([edge])[0]
    return found


def whole(actor):
    """Every node and edge with all that is stored of it; a tool's answer to a model has less."""
    return json.loads(actor.ask("resources/read", {"uri": "terrastudio://diagram/current"})["result"]["contents"][0]["text"])


def look(actor):
    config = actor.use("get_project_config")["config"]
    return flat(whole(actor), {key: config[key] for key in ("region", "tags") if key in config})


def differences(before, after):
    return {key: (before.get(key), after.get(key)) for key in before.keys() | after.keys()
            if before.get(key) != after.get(key)}


def is_soft(key):
    """Containers grow with what they hold, and stay as large as that needs."""
    return key[1] == "size"


def check_valid(state):
    parents = {key[0]: state.get((key[0], "parentId")) for key in state if key[1] == "is"}
    for node in parents:
        seen, at = set(), node
        while at:
            need(at in parents, f"{node} stands in {at}, which is gone")
            need(at not in seen, f"{node} stands in itself")
            seen.add(at)
            at = parents[at]
    for (_, member), value in state.items():
        if member == "edge":
            need(value["source"] in parents and value["target"] in parents, f"an edge without end: {value}")
        if member.startswith("references."):
            for target in value if isinstance(value, list) else [value]:
                need(target in parents, f"a reference to nothing: {target}")


# ---- what the contract says, one by one ----


def ones_own(ada, bob):
    group = ada.add(GROUP)
    plan = ada.add(PLAN, group)
    ada.use("update_resource", instanceId=group, properties={"name": "rg-ada"})
    theirs = bob.use("update_resource", instanceId=group, properties={"location": "westeurope"})
    bob.use("move_resource", instanceId=plan, position={"x": 700, "y": 400})
    answer = ada.use("undo_change", scope="mine")
    state = look(bob)
    need(state[group, "properties.location"] == "westeurope", "what bob did to the same node is lost")
    need(state[group, "properties.name"] != "rg-ada", "ada's is not undone")
    need(answer["undone"][0]["actor"] == "ada", f"{answer}")
    entry = ada.use("list_changes", limit=1)["changes"][0]
    need(entry["kind"] == "undo" and entry["of"] == answer["undone"][0]["changeId"], f"{entry}")
    ada.use("redo_change", scope="mine")
    need(look(bob)[group, "properties.name"] == "rg-ada", "not redone")
    need(bob.code_of("redo_change", scope="mine") == "NOTHING_TO_UNDO", "bob has undone nothing")
    ada.use("undo_change", changeId=theirs["changeId"])
    need((group, "properties.location") not in look(ada) and look(ada)[plan, "position"] == {"x": 700, "y": 400},
         "exactly that change")
    need(ada.code_of("undo_change", changeId=theirs["changeId"]) == "NOTHING_TO_UNDO", "twice")
    for bad in ({"changeId": "12"}, {"changeId": "change-0"}, {"changeId": "change-1", "steps": 2},
                {"changeId": "change-1", "scope": "mine"}, {"scope": "yours"}):
        need(ada.code_of("undo_change", **bad) == "INVALID_INPUT", f"{bad}")
    need(ada.code_of("undo_change", scope="mine", expectedRevision=1) == "STALE_REVISION", "an old revision")


def conflicts(ada, bob):
    group = ada.add(GROUP)
    mine = ada.use("update_resource", instanceId=group, properties={"name": "one"})
    theirs = bob.use("update_resource", instanceId=group, properties={"name": "two"})
    state, revision = look(ada), ada.diagram()["revision"]
    try:
        ada.use("undo_change", scope="mine")
        need(False, "no conflict")
    except studio.Fault as fault:
        by = fault.error["details"]["by"]
        need(fault.code == "UNDO_CONFLICT" and [one["changeId"] for one in by] == [theirs["changeId"]] and
             by[0]["actor"] == "bob" and by[0]["summary"], f"{fault.error}")
    need(look(ada) == state and ada.diagram()["revision"] == revision, "a conflict has changed something")
    ada.use("undo_change", changeId=theirs["changeId"])  # theirs too: then it goes
    ada.use("undo_change", changeId=mine["changeId"])
    need(look(ada)[group, "properties.name"] not in ("one", "two"), "both are taken back")
    # What stands on it: a child of a new container, a reference, and a name that was taken meanwhile.
    box = ada.add(GROUP, label="box")
    bob.add(PLAN, box)
    need(ada.code_of("undo_change", scope="mine") == "UNDO_CONFLICT", "a container that holds bob's")
    bob.use("undo_change", scope="mine")
    ada.use("undo_change", scope="mine")
    first = ada.add(PLAN, label="taken")
    ada.use("update_resource", instanceId=first, properties={}, terraformName="other")
    bob.add(PLAN, label="taken")
    need(ada.code_of("undo_change", scope="mine") == "UNDO_CONFLICT", "bob has the old name now")
    # Into each other: no member is the same, and yet it cannot be.
    outer, inner = ada.add(BOX), ada.add(BOX)
    ada.use("move_resources", moves=[{"instanceId": inner, "parentId": outer}])
    ada.use("move_resources", moves=[{"instanceId": inner, "parentId": None}])
    theirs = bob.use("move_resources", moves=[{"instanceId": outer, "parentId": inner}])
    try:
        ada.use("undo_change", scope="mine")
        need(False, "a box in itself")
    except studio.Fault as fault:
        need(fault.code == "UNDO_CONFLICT" and
             theirs["changeId"] in [one["changeId"] for one in fault.error["details"]["by"]], f"{fault.error}")


def remembered(home, ada):
    """Whose a change is outlives the daemon."""
    group = ada.add(GROUP)
    ada.use("update_resource", instanceId=group, properties={"name": "before"})
    path = ada.use("list_projects")["open"][0]["path"]
    home.tenon("down")
    home.tenon("up")
    ada, bob = Actor(home, "ada"), Actor(home, "bob")
    ada.use("open_project", projectPath=path)
    bob.use("update_resource", instanceId=group, properties={}, notes="bob was here")
    ada.use("undo_change", scope="mine")
    state = look(bob)
    need(state[group, "notes"] == "bob was here" and state[group, "properties.name"] != "before", "not ada's alone")
    need(bob.code_of("undo_change", scope="mine", steps=2) is None, "bob's one")
    return ada, bob


def growing_together(ada, bob):
    """Both add to one container, which grows for each: nobody stands in the way of the other."""
    group = ada.add(GROUP)
    mine = [ada.add(PLAN, group) for _ in range(6)]
    theirs = [bob.add(PLAN, group) for _ in range(6)]
    for _ in mine:
        ada.use("undo_change", scope="mine")
    nodes = {node["instanceId"]: node["layout"] for node in bob.use("get_diagram", include=["layout"])["nodes"]}
    need(not set(mine) & nodes.keys() and set(theirs) <= nodes.keys(), "not exactly ada's are gone")
    box = nodes[group]
    for plan in theirs:
        inside = nodes[plan]
        need(inside["x"] + inside["width"] <= box["x"] + box["width"] and
             inside["y"] + inside["height"] <= box["y"] + box["height"], "bob's stand outside their container")


# ---- the property ----


class Story:
    def __init__(self, actors, seed):
        self.actors, self.chance = actors, random.Random(seed)
        self.why = {}
        self.done = []  # (actor, changeId, differences)

    def nodes(self, kind=None):
        return [node["instanceId"] for node in whole(self.actors[0])["nodes"] if not kind or node["typeId"] == kind]

    def act(self, actor):
        """One random act; a refusal is fine. Its changeId, or None."""
        chance = self.chance
        groups, plans, every = self.nodes(GROUP), self.nodes(PLAN), self.nodes()
        networks, apps = self.nodes(NETWORK), self.nodes(APP)
        one = chance.choice(every) if every else None
        parent = chance.choice(groups) if groups else None
        acts = [
            lambda: actor.use("add_resource", typeId=chance.choice([GROUP, PLAN, NETWORK, APP]),
                              **({"parentId": parent} if parent and chance.random() < 0.6 else {})),
            lambda: actor.use("add_resource", typeId=SUBNET, parentId=chance.choice(networks)),
            lambda: actor.use("update_resource", instanceId=one, properties={}, label=f"L{chance.randrange(99)}"),
            lambda: actor.use("update_resource", instanceId=one, properties={"name": f"n{chance.randrange(99)}"}),
            lambda: actor.use("update_resource", instanceId=one, properties={"tags": {f"k{chance.randrange(4)}": "v"}}),
            lambda: actor.use("update_resource", instanceId=one, properties={}, notes=str(chance.randrange(99))),
            lambda: actor.use("update_resource", instanceId=one, properties={},
                              terraformName=f"name_{chance.randrange(9)}"),
            lambda: actor.use("move_resources", moves=[
                {"instanceId": each, "position": {"x": chance.randrange(0, 900, 20), "y": chance.randrange(60, 900, 20)}}
                for each in chance.sample(every, min(len(every), 3))]),
            lambda: actor.use("move_resources", moves=[
                {"instanceId": chance.choice(plans), "parentId": chance.choice(groups + [None])}]),
            lambda: actor.use("move_resources", moves=[{
                "instanceId": parent, "position": {"x": chance.randrange(0, 900, 20), "y": 100},
                "size": {"width": chance.randrange(300, 2000, 20), "height": chance.randrange(300, 2000, 20)}}]),
            lambda: actor.use("remove_resource", instanceId=one),
            lambda: actor.use("update_resource", instanceId=chance.choice(apps), properties={},
                              references={"service_plan_id": chance.choice(plans + [None])}),
            lambda: actor.use("set_project_config", config={"region": chance.choice(["westeurope", "northeurope"])}),
            lambda: actor.use("set_project_config", config={"tags": {f"t{chance.randrange(3)}": actor.name}}),
            lambda: actor.use("layout_diagram"),
        ]
        weights = [6, 2, 3, 3, 2, 2, 1, 5, 3, 2, 2, 3, 1, 1, 0.3]
        try:
            return chance.choices(acts, weights)[0]().get("changeId")
        except studio.Fault:
            return None
        except IndexError:  # nothing to choose from yet
            return None

    def go(self, count):
        state = look(self.actors[0])
        while len(self.done) < count:
            actor = self.chance.choice(self.actors)
            change = self.act(actor)
            if not change:
                continue
            after = look(self.actors[0])
            self.done.append((actor, change, differences(state, after)))
            state = after
        return state

    def undo_one(self, actor, change, made, state):
        """The state afterwards; None when somebody stands against it."""
        try:
            actor.use("undo_change", changeId=change)
        except studio.Fault as fault:
            need(fault.code == "UNDO_CONFLICT", f"{fault}")
            by = fault.error["details"]["by"]
            self.why[change] = fault.error
            need(by and all(one["changeId"] != change for one in by), f"{fault.error}")
            need(look(actor) == state, "a conflict has changed something")
            return None
        after = look(actor)
        for key, (was, now) in differences(state, after).items():
            need(is_soft(key) or key in made, f"undoing {change} changed {key} from {was} to {now}")
        for key, (was, _) in made.items():
            need(is_soft(key) or after.get(key) == was, f"undoing {change} left {key} at {after.get(key)}, not {was}")
        check_valid(after)
        return after

    def take_back(self, state):
        """Each its own, newest first, as long as something goes. How often somebody stood in the way."""
        left, in_the_way = list(self.done), 0
        while left:
            before = len(left)
            for actor in self.actors:
                for entry in [entry for entry in reversed(left) if entry[0] is actor]:
                    after = self.undo_one(*entry, state)
                    if after is None:
                        in_the_way += 1
                    else:
                        left.remove(entry)
                        state = after
            if len(left) == before:
                need(False, f"{before} changes stand in each other's way for ever: {self.why[left[-1][1]]} {left[-1][2]}")
        return state, in_the_way


def hard(state):
    return {key: value for key, value in state.items() if not is_soft(key)}


def three_actors(home, seed):
    actors = [Actor(home, name) for name in ("ada", "bob", "cleo")]
    actors[0].use("new_project", name=f"story {seed}", directoryPath=home.folder)
    for actor in actors:
        actor.add(GROUP)
    story = Story(actors, seed)
    start = look(actors[0])
    state = story.go(180)
    check_valid(state)
    end, in_the_way = story.take_back(state)
    need(hard(end) == hard(start), f"undoing all of all is not the start: {differences(hard(start), hard(end))}")
    need(in_the_way > 0, "the acts were too tame: nobody ever stood in anybody's way")
    actors[0].use("save_project")
    for actor in actors:
        actor.link.close()


def blocks(count):
    return "".join(f'resource "azurerm_resource_group" "g{number}" {{\n  name     = "group-{number}"\n  location = "eastus"\n}}\n'
                   for number in range(count))


def of_much(home, ada, bob):
    """A worker takes back and makes again what has much; files that cannot be read keep their project open."""
    project = ada.use("new_project", name="much", directoryPath=home.folder)["project"]
    source = os.path.join(home.folder, "source")
    os.mkdir(source)
    with open(os.path.join(source, "main.tf"), "w", encoding="utf-8") as file:
        file.write(blocks(400))
    kept = ada.use("add_resource", typeId=GROUP, label="Kept")["instanceId"]
    before = look(ada)
    done = ada.use("import_terraform", source="config", path=source)
    after = look(ada)
    need(len(whole(ada)["nodes"]) == 401, len(whole(ada)["nodes"]))
    undone = bob.use("undo_change", changeId=done["changeId"])
    need(undone["undone"][0]["changeId"] == done["changeId"] and undone["revision"] == done["revision"] + 1, undone)
    need(look(ada) == before, differences(before, look(ada)))
    change = ada.use("list_changes", limit=1)["changes"][0]
    need((change["kind"], change["of"], change["tool"]) == ("undo", done["changeId"], "undo_change"), change)
    need(bob.code_of("undo_change", changeId=done["changeId"]) == "NOTHING_TO_UNDO", "undone twice")
    ada.use("redo_change", expectedRevision=undone["revision"])
    need(look(ada) == after, differences(after, look(ada)))
    need(bob.code_of("undo_change", expectedRevision=1) == "STALE_REVISION", "another revision")
    # Somebody else has changed one of them since: it is said, and nothing is done.
    one = next(node["instanceId"] for node in whole(ada)["nodes"] if node["instanceId"] != kept)
    bob.use("update_resource", instanceId=one, properties={"name": "another"})
    need(ada.code_of("undo_change", changeId=done["changeId"]) == "UNDO_CONFLICT", "over another's change")
    bob.use("undo_change")
    ada.use("save_project")
    saved = look(ada)
    ada.use("undo_change", changeId=done["changeId"])
    path = os.path.join(project["path"], "diagram.json")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write("{")
    need(ada.code_of("close_project", discard=True) == "PROJECT_INVALID", "files that nobody can read")
    need(ada.use("list_projects")["open"][0]["id"] == project["id"] and look(ada) == before, "it is as it was")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    numbers = [ada.begin("close_project", discard=True), ada.begin("open_project", projectPath=project["path"])]
    need(ada.end(numbers[0])["closed"] == project["id"] and not ada.end(numbers[1])["project"]["dirty"], "closed, then opened")
    need(look(ada) == saved, differences(saved, look(ada)))
    ada.use("undo_change")
    need(look(ada) == before, "what was dropped is there again")


def stood(actor, change):
    """{id: (label, rect)} of what is gone, by list_changes of that change."""
    answer = actor.use("list_changes", changeId=change)
    need([one["changeId"] for one in answer["changes"]] == [change], f"{answer['changes']}")
    return {one["instanceId"]: (one["label"], one["rect"]) for one in answer["stood"]}


def gone(ada, bob):
    """SC-141: where what a change is about stood, for who has not seen it go."""
    rects = lambda: {one["instanceId"]: (one["label"], one["layout"]) for one in ada.use("get_diagram", include=["layout"])["nodes"]}
    group = ada.use("add_resource", typeId=GROUP, label="Going", position={"x": 100, "y": 2000})["instanceId"]
    network = ada.use("add_resource", typeId=NETWORK, label="In it", parentId=group)["instanceId"]
    subnet = ada.use("add_resource", typeId=SUBNET, label="Deep", parentId=network)
    there = rects()
    mine = {one: there[one] for one in (group, network, subnet["instanceId"])}
    need(stood(bob, subnet["changeId"]) == {}, "what is there is not gone")
    removed = ada.use("remove_resource", instanceId=group)
    need(stood(bob, removed["changeId"]) == mine, f"{stood(bob, removed['changeId'])}, not {mine}")
    ada.use("undo_change", changeId=removed["changeId"])
    need(stood(bob, removed["changeId"]) == {}, "it is there again")
    # What stands in something that is there is meant from where that is now.
    ada.use("remove_resource", instanceId=subnet["instanceId"])
    last = ada.use("list_changes")["changes"][-1]["changeId"]
    ada.use("move_resource", instanceId=group, position={"x": 400, "y": 2100})
    label, rect = mine[subnet["instanceId"]]
    need(stood(bob, last) == {subnet["instanceId"]: (label, {**rect, "x": rect["x"] + 300, "y": rect["y"] + 100})}, f"{stood(bob, last)}")
    # What was added and taken back.
    plan = ada.use("add_resource", typeId=PLAN, label="Short", position={"x": 900, "y": 2000})
    was = rects()[plan["instanceId"]]
    ada.use("undo_change", changeId=plan["changeId"])
    need(stood(bob, plan["changeId"]) == {plan["instanceId"]: was}, f"{stood(bob, plan['changeId'])}")
    need(bob.code_of("list_changes", changeId="12") == "INVALID_INPUT", "no id of a change")
    need(bob.use("list_changes", changeId="change-999999") == {**bob.use("list_changes", changeId="change-999999"), "changes": [], "stood": []}, "none")
    # Of very much nothing is told, and nobody waits for it.
    note = lambda n, text: {"tool": "update_resource", "arguments": {"instanceId": f"$a{n}.instanceId", "properties": {}, "notes": text}}
    for count, notes, told in ((250, (), 100), (150, ("m" * 2000, "n" * 2000), 0)):
        many = ada.use("execute_batch", operations=[one for n in range(count) for one in (
            {"tool": "add_resource", "arguments": {"typeId": PLAN, "label": f"Many {n}"}, "as": f"a{n}"}, *(note(n, text) for text in notes))])
        ada.use("undo_change", changeId=many["changeId"])
        need(len(stood(bob, many["changeId"])) == told, f"{len(stood(bob, many['changeId']))}, not {told}")


def main():
    with daemon.Home() as home:
        home.tenon("up")
        ada, bob = Actor(home, "ada"), Actor(home, "bob")
        ada.use("new_project", name="undo", directoryPath=home.folder)
        with Step("studio-undo", "SC-019 one's own, and exactly that"):
            ones_own(ada, bob)
        with Step("studio-undo", "SC-019 conflicts name who and what"):
            conflicts(ada, bob)
        with Step("studio-undo", "SC-019 containers that grow are in nobody's way"):
            growing_together(ada, bob)
        with Step("studio-undo", "SC-141 where what is gone stood"):
            gone(ada, bob)
        for seed in (1, 2, 3):
            with Step("studio-undo", f"SC-019 SC-261 three actors, 180 random acts, seed {seed}"):
                three_actors(home, seed)
        with Step("studio-undo", "SC-019 whose it is outlives the daemon"):
            remembered(home, ada)
        with Step("studio-undo", "SC-019 SC-028 of hundreds of nodes, and unsaved changes that are dropped"):
            of_much(home, ada, bob)
        home.tenon("down")
    return 1 if check.failures else 0


sys.exit(main())
