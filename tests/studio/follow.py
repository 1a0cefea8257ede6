#!/usr/bin/env python3
"""follow.py - what a page needs that shows a diagram while others change it (studio-canvas.md, section 4)."""
import json
import os
import random
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import daemon  # noqa: E402
import links  # noqa: E402
import studio  # noqa: E402
from check import Step, need  # noqa: E402
import check  # noqa: E402

GROUP, PLAN, NETWORK = ("azurerm/core/resource_group", "azurerm/compute/app_service_plan",
                        "azurerm/networking/virtual_network")
PARTS = ("diagram", "config", "problems", "costs", "status")
UPDATED = "notifications/resources/updated"


def join(home):
    return studio.Assistant(links.Stdio([daemon.TENON, "mcp", "studio"], env=home.env))


def whole(home):
    """One that is told everything, as a page is: what comes through the front is lean, for a model."""
    found = home.discovery()
    return studio.Assistant(links.Http(found["url"] + "/mcp/studio", found["token"]))


def read(client, uri):
    answer = client.ask("resources/read", {"uri": uri})
    return json.loads(answer["result"]["contents"][0]["text"]) if "result" in answer else None


def heard(client, seconds=0.5):
    """The updates that come within that time: URI to the revision that each said last."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            client.take(max(0.01, deadline - time.monotonic()))
        except TimeoutError:
            break
    notes, client.notes = client.notes, []
    return {note["params"]["uri"]: note["params"].get("_meta", {}).get("revision")
            for note in notes if note["method"] == UPDATED}


# ---- SC-010 ----

def parts_of(page, writer, home):
    """Each open project has its parts under its own id, whichever is current."""
    first = writer.use("new_project", name="first", directoryPath=home.folder)["project"]["id"]
    writer.add(GROUP, label="of the first")
    second = writer.use("new_project", name="second", directoryPath=home.folder)["project"]["id"]
    listed = read(page, "studio://projects")
    need([one["name"] for one in listed["open"]] == ["second", "first"] and "recent" in listed, f"{listed}")
    need(listed == writer.use("list_projects"), "the resource is not what the tool says")
    for part in PARTS:
        need(read(page, f"studio://projects/{first}/{part}") is not None, f"{part} cannot be read")
    need(read(page, f"studio://projects/{first}/diagram")["nodes"][0]["label"] == "of the first", "another diagram")
    need(read(page, f"studio://projects/{second}/diagram")["nodes"] == [], "the second is not empty")
    need(read(page, f"studio://projects/{second}/diagram") == read(page, "studio://diagram/current"), "current differs")
    for wrong in (f"studio://projects/{first}/nothing", "studio://projects/nobody/diagram", f"studio://projects/{first}",
                  f"studio://projects/{first}/diagram/more", "studio://projects//diagram"):
        need("error" in page.ask("resources/read", {"uri": wrong}), f"{wrong} was read")
    return first, second


def told_of(page, writer, first, second):
    """A change is told to those who follow its project and nobody else, with its revision."""
    uris = [f"studio://projects/{project}/{part}" for project in (first, second) for part in PARTS]
    for uri in uris + ["studio://projects"]:
        need("result" in page.ask("resources/subscribe", {"uri": uri}), f"{uri} cannot be followed")
    heard(page, 0.3)
    revision = writer.use("add_resource", typeId=GROUP, project=first)["revision"]
    got = heard(page)
    need(got.get(f"studio://projects/{first}/diagram") == revision, f"{revision} is not said: {got}")
    need({f"studio://projects/{first}/{part}" for part in ("diagram", "problems", "costs")} <= set(got), f"{got}")
    need(not [uri for uri in got if second in uri], f"the other project is told of, too: {got}")
    writer.use("open_project", projectPath=read(page, "studio://projects")["open"][1]["path"])
    got = heard(page)
    need("studio://projects" in got, f"that another one is current is not told: {got}")
    need(not [uri for uri in got if uri.endswith(("/costs", "/config"))], f"what did not change is told of: {got}")
    changed = writer.use("set_project_config", config={"region": "northeurope"}, project=second)
    got = heard(page)
    need(got.get(f"studio://projects/{second}/config") == changed["revision"], f"{got}")
    writer.use("save_project", project=second)
    need("studio://projects" in heard(page), "that it is saved is not told")
    writer.use("close_project", project=second)
    need("studio://projects" in heard(page), "that it is closed is not told")
    need(read(page, f"studio://projects/{second}/diagram") is None, "a closed project is read")
    for uri in uris + ["studio://projects"]:
        page.ask("resources/unsubscribe", {"uri": uri})


# ---- SC-011 ----

EVERYTHING = ["defaults", "layout", "diagnostics", "costs", "addresses", "routes", "ghosts"]


class Model:
    """What a reader makes of get_changes. Nothing but the answers is looked at."""

    def __init__(self, client, include, by_revision=False, project=None):
        self.client, self.include, self.by_revision = client, include, by_revision
        self.where = {"project": project} if project else {}
        self.resets = 0
        self.load()

    def load(self):
        diagram = self.client.use("get_diagram", include=self.include, **self.where)
        self.nodes, self.edges = diagram["nodes"], {edge["id"]: edge for edge in diagram["edges"]}
        self.routes = diagram.get("routes", {})
        self.rest = {key: diagram[key] for key in ("modules", "instances", "project")}
        self.revision, self.cursor = diagram["revision"], diagram["cursor"]
        self.config, self.by_node, self.problems, self.estimates, self.total = None, {}, None, {}, None

    def follow(self, **more):
        since = self.revision if self.by_revision else self.cursor
        answer = self.client.use("get_changes", since=since, include=self.include, **self.where, **more)
        if answer["reset"]:
            need(set(answer) == {"from", "to", "cursor", "reset"}, f"a reset says more: {set(answer)}")
            self.resets += 1
            self.load()
            return answer
        need(answer["from"] == self.revision, f"from {answer['from']}, not {self.revision}")
        self.revision, self.cursor = answer["to"], answer["cursor"]
        self.take_nodes(answer)
        for edge in answer["removedEdges"]:
            self.edges.pop(edge, None)
            self.routes.pop(edge, None)
        self.edges |= {edge["id"]: edge for edge in answer["edges"]}
        self.routes |= answer.get("routes", {})
        self.rest |= {key: answer[key] for key in self.rest if key in answer}
        self.take_rest(answer)
        return answer

    def take_nodes(self, answer):
        gone = set(answer["removedNodes"]) | set(answer["places"])
        self.nodes = [node for node in self.nodes if node["id"] not in gone]
        at = {node["id"]: index for index, node in enumerate(self.nodes)}
        fresh = []
        for node in answer["nodes"]:
            if node["id"] in at:
                self.nodes[at[node["id"]]] = node
            else:
                fresh.append(node)
        for node in sorted(fresh, key=lambda node: answer["places"].get(node["id"], 1 << 30)):
            self.nodes.insert(answer["places"].get(node["id"], len(self.nodes)), node)
        for one in answer["removedNodes"]:
            self.by_node.pop(one, None)
            self.estimates.pop(one, None)

    def take_rest(self, answer):
        self.config = answer.get("config", self.config)
        if "diagnostics" in answer:
            self.by_node |= answer["diagnostics"]["byNode"]
            self.problems = answer["diagnostics"]["project"]
        if "costs" in answer:
            self.estimates |= answer["costs"]["estimates"]
            self.total = answer["costs"]["total"]

    def compare(self):
        """It is what get_diagram says."""
        diagram = self.client.use("get_diagram", include=self.include, **self.where)
        need(diagram["revision"] == self.revision, f"revision {self.revision}, not {diagram['revision']}")
        have, want = [node["id"] for node in self.nodes], [node["id"] for node in diagram["nodes"]]
        need(have == want, f"other nodes, or in another order: {have} {want}")
        for mine, theirs in zip(self.nodes, diagram["nodes"]):
            need(mine == theirs, f"{[key for key in theirs if mine.get(key) != theirs[key]]} of {theirs['label']} differ")
        theirs = {edge["id"]: edge for edge in diagram["edges"]}
        need(self.edges == theirs, f"edges differ: {set(self.edges) ^ set(theirs)}")
        need(self.routes == diagram.get("routes", {}), "routes differ")
        for key, value in self.rest.items():
            need(value == diagram[key], f"{key} differs: {value} {diagram[key]}")
        if self.config is not None:
            need(self.config == self.client.use("get_project_config", **self.where)["config"], "config differs")
        self.compare_rest(diagram)

    def compare_rest(self, diagram):
        problems = self.client.use("validate_diagram", **self.where)["diagnostics"]
        known = {node["id"]: node for node in diagram["nodes"]}
        for one, list_ in self.by_node.items():
            need(one not in known or list_ == known[one].get("diagnostics"), "diagnostics of a node differ")
        if self.problems is not None:
            free = [one for one in problems if one.get("instanceId") not in known]
            need(sorted(map(str, self.problems)) == sorted(map(str, free)), f"{self.problems} {free}")
        if self.total is not None:
            costs = self.client.use("estimate_costs", **self.where)
            need(self.total == costs["total"], "the total differs")
            need(all(costs["estimates"].get(one) == cost for one, cost in self.estimates.items()), "costs differ")


SUBNET, APP = "azurerm/networking/subnet", "azurerm/compute/app_service"


def containers(diagram, kind):
    return [node["id"] for node in diagram["nodes"] if node["typeId"] == kind]


def edits(client, chance):
    """One random edit; what is refused is refused."""
    # Within an edit nobody notes what is read: what is known must not depend on this reading.
    diagram = client.use("execute_batch", dryRun=True, operations=[{"tool": "get_diagram", "arguments": {}}])["results"][0]
    ids = [node["id"] for node in diagram["nodes"]]
    one, other = (chance.choice(ids), chance.choice(ids)) if ids else (None, None)
    groups, networks = containers(diagram, GROUP), containers(diagram, NETWORK)
    plans, apps = containers(diagram, PLAN), containers(diagram, APP)
    spot = {"x": chance.randrange(0, 1500, 10), "y": chance.randrange(0, 1500, 10)}
    choices = [
        lambda: client.use("add_resource", typeId=GROUP, label=f"g {chance.random()}"),
        lambda: client.use("add_resource", typeId=NETWORK, parentId=chance.choice(groups)),
        lambda: client.use("add_resource", typeId=SUBNET, parentId=chance.choice(networks)),
        lambda: client.use("add_resource", typeId=PLAN, parentId=chance.choice(groups), position=spot),
        lambda: client.use("add_resource", typeId=APP, parentId=chance.choice(groups),
                           references={"service_plan_id": chance.choice(plans)}),
        lambda: client.use("connect_resources", sourceInstanceId=chance.choice(plans), sourceHandle="asp-out",
                           targetInstanceId=chance.choice(apps), targetHandle="asp-in"),
        lambda: client.use("disconnect_resources", edgeId=chance.choice(diagram["edges"])["id"]),
        lambda: client.use("update_edge", edgeId=chance.choice(diagram["edges"])["id"], label=f"e {chance.randrange(9)}"),
        lambda: client.use("update_edge", edgeId=chance.choice(diagram["edges"])["id"], source=chance.choice(plans)),
        lambda: client.use("update_resource", instanceId=one, properties={}, label=f"l {chance.random()}"),
        lambda: client.use("update_resource", instanceId=one, properties={"name": f"n{chance.randrange(9999)}"}),
        lambda: client.use("update_resource", instanceId=chance.choice(groups), properties={"location": "northeurope"}),
        lambda: client.use("update_resource", instanceId=one, properties={}, terraformName=f"t{chance.randrange(99999)}"),
        lambda: client.use("move_resource", instanceId=one, position=spot),
        lambda: client.use("move_resource", instanceId=one, parentId=chance.choice(groups)),
        lambda: client.use("move_resource", instanceId=one, size={"width": 400 + spot["x"], "height": 300 + spot["y"]}),
        lambda: client.use("remove_resource", instanceId=one),
        lambda: client.use("remove_resource", instanceId=chance.choice(apps or plans)),
        lambda: client.use("layout_diagram"),
        lambda: client.use("layout_diagram", instanceIds=[one, other], align="left"),
        lambda: client.use("set_project_config", config={"naming": {"enabled": chance.random() < 0.5}}),
        lambda: client.use("set_project_config", config={"environment": chance.choice(["dev", "prod", "test"])}),
        lambda: client.use("set_project_config", config={"commonTags": {"n": str(chance.randrange(9))}}),
        lambda: client.use("execute_batch", operations=[
            {"tool": "add_resource", "arguments": {"typeId": GROUP}, "as": "a"},
            {"tool": "add_resource", "arguments": {"typeId": PLAN, "parentId": "$a.instanceId"}},
            {"tool": "remove_resource", "arguments": {"instanceId": one}}]),
        lambda: client.use("execute_batch", dryRun=True, operations=[
            {"tool": "remove_resource", "arguments": {"instanceId": one}},
            {"tool": "get_diagram", "arguments": {}}]),
        lambda: client.use("execute_batch", operations=[
            {"tool": "add_resource", "arguments": {"typeId": GROUP}}, {"tool": "add_resource", "arguments": {"typeId": "no"}}]),
        lambda: client.use("save_project"),
        lambda: client.use("undo_change", steps=chance.randrange(1, 6)),
        lambda: client.use("undo_change", steps=1),
        lambda: client.use("redo_change", steps=chance.randrange(1, 4)),
    ]
    try:
        chance.choice(choices)()
        return 1
    except (studio.Fault, IndexError):
        return 0


def law(home, seed, steps, large=0):
    """Applied to the diagram at `from` an answer gives exactly get_diagram at `to`, whoever reads in between. A large
    diagram is read by workers, several readings at once."""
    chance = random.Random(seed)
    writer, page = join(home), whole(home)
    project = writer.use("new_project", name=f"law {seed}", directoryPath=home.folder)["project"]
    here = {"project": project["id"]}
    use = writer.use
    writer.use = lambda tool, **arguments: use(tool, **{**here, **arguments})
    for _ in range(large):
        group = writer.add(GROUP)
        writer.use("execute_batch", operations=[
            {"tool": "add_resource", "arguments": {"typeId": PLAN, "parentId": group}}] * 100)
    models = [Model(page, EVERYTHING, project=project["id"]), Model(page, [], project=project["id"]),
              Model(writer, EVERYTHING, project=project["id"]),
              Model(page, ["layout"], by_revision=True, project=project["id"]),
              Model(page, ["costs", "routes"], by_revision=True, project=project["id"])]
    done = 0
    for _ in range(steps):
        done += edits(writer, chance)
        for model in models:
            if chance.random() < 0.3:
                if chance.random() < 0.5:  # others, and what they read, at the same time
                    others = [page.begin("get_diagram", include=model.include, **here),
                              writer.begin("get_changes", since=model.cursor, include=EVERYTHING, **here)]
                    edits(writer, chance)
                    model.follow()
                    page.end(others[0])
                    writer.end(others[1])
                model.follow()
        if chance.random() < 0.15:
            model = chance.choice(models)
            model.follow()
            model.compare()
    need(done > steps / 2, f"{done} of {steps} edits were possible")
    need(all(model.resets == 0 for model in models), f"{[model.resets for model in models]} resets")
    use("save_project", **here)
    use("close_project", **here)
    opened = use("open_project", projectPath=project["path"])
    need(opened["project"]["id"] == project["id"], "another id")
    for _ in range(10):
        edits(writer, chance)
    for model in models:
        model.follow()
        model.compare()
        edits(writer, chance)
        model.follow()
        model.compare()
    for client in (writer, page):
        client.link.close()


def sizes(home):
    """One moved leaf is 4 kB at most, however large the diagram, by cursor and by revision (asserted in bytes)."""
    client = whole(home)
    client.use("new_project", name="sizes", directoryPath=home.folder)
    group = client.add(GROUP)
    client.use("move_resource", instanceId=group, size={"width": 4000, "height": 4000})
    for _ in range(4):
        client.use("execute_batch", operations=[{"tool": "add_resource", "arguments": {"typeId": PLAN, "parentId": group}}] * 100)
    for include in ([], ["layout", "diagnostics", "costs", "addresses", "routes"], EVERYTHING):
        diagram = client.use("get_diagram", include=include)
        leaf = diagram["nodes"][200]
        for since in (diagram["revision"], diagram["cursor"]):
            client.use("move_resource", instanceId=leaf["id"],
                       position={"x": leaf["position"]["x"] + 10 * len(str(since)), "y": leaf["position"]["y"]})
            answer = client.use("get_changes", since=since, include=include)
            size = len(json.dumps(answer, separators=(",", ":")))
            need([node["id"] for node in answer["nodes"]] == [leaf["id"]], f"{len(answer['nodes'])} nodes")
            need(size <= 4096, f"{size} bytes with {include}")
    empty = client.use("get_changes", since=answer["cursor"], include=EVERYTHING)
    need(not empty["nodes"] and not empty["changes"] and "config" not in empty, f"{empty}")
    client.link.close()


def more_later(home):
    """Who has asked for less before is told all of the rest, whatever others have read at the same moment."""
    other, client = whole(home), join(home)
    other.use("new_project", name="more", directoryPath=home.folder)
    group = other.add(GROUP)
    for _ in range(3):
        other.add(PLAN, group)
    whole_ = other.use("get_diagram", include=EVERYTHING)
    other.use("get_changes", since=whole_["cursor"], include=EVERYTHING)
    for include in ([], ["layout", "ghosts", "routes"], ["costs"], ["diagnostics", "defaults"]):
        before = client.use("get_diagram", include=include)
        answer = client.use("get_changes", since=before["cursor"], include=EVERYTHING)
        need({node["id"]: node for node in answer["nodes"]} == {node["id"]: node for node in whole_["nodes"]}, f"nodes after {include}")
        if "costs" not in include:
            need(answer["costs"]["total"] == other.use("estimate_costs")["total"] and len(answer["costs"]["estimates"]) >= 3, f"costs after {include}")
        again = client.use("get_changes", since=answer["cursor"], include=EVERYTHING)
        need(not again["nodes"] and "costs" not in again and "diagnostics" not in again, f"twice after {include}: {again}")
    client.link.close()


def wrong_since(home):
    client = join(home)
    client.use("new_project", name="wrong", directoryPath=home.folder)
    diagram = client.diagram()
    for since in ("", "x", "1.2", "1.zz.3", "-1.0.0", " " + diagram["cursor"], diagram["cursor"] + "0x", "9" * 63, "0.0.0x"):
        need(client.code_of("get_changes", since=since) == "INVALID_INPUT", f"{since!r} was taken")
    for since in (-1, 1.5, None, [], {}, "9" * 64):
        need(client.code_of("get_changes", since=since) == "INVALID_INPUT", f"{since!r} was taken")
    for since in (10 ** 15, diagram["revision"] + 1, "5.abc.7"):
        need(client.use("get_changes", since=since)["reset"], f"{since} is no reset")
    need(client.code_of("get_changes", since=1, include=["secrets"]) == "INVALID_INPUT", "include")
    need(client.code_of("get_changes", since=1, waitMs=60000) == "INVALID_INPUT", "waitMs")
    need(client.code_of("get_changes", since=1, project="nobody") == "PROJECT_NOT_FOUND", "project")
    client.link.close()


def waits(home):
    """A call that waits is answered with the change, at its time, when it is cancelled, and when the project goes."""
    page, writer = join(home), join(home)
    project = writer.use("new_project", name="waits", directoryPath=home.folder)["project"]
    cursor = page.diagram()["cursor"]
    begun = time.monotonic()
    answer = page.use("get_changes", since=cursor, waitMs=300)
    took = time.monotonic() - begun
    need(0.25 < took and not answer["nodes"] and answer["to"] == answer["from"], f"{took:.2f} s, {answer}")
    waiting = [page.begin("get_changes", since=answer["cursor"], waitMs=50000) for _ in range(20)]
    need(writer.use("list_resources")["total"] == 0, "others are held up")
    begun = time.monotonic()
    added = writer.use("add_resource", typeId=GROUP)
    answers = [page.end(number) for number in waiting]
    took = time.monotonic() - begun
    need(all([node["id"] for node in one["nodes"]] == [added["instanceId"]] for one in answers), f"{answers[0]}")
    check.need_quick(took, 5, "told late")
    need(answers[0]["changes"][0]["changeId"] == added["changeId"], f"{answers[0]['changes']}")
    writer.use("save_project")
    saved = page.use("get_changes", since=answers[0]["cursor"], waitMs=5000)
    need(not saved["nodes"] and saved["project"]["dirty"] is False, f"that it is saved is not told: {saved}")
    page.cancel(page.begin("get_changes", since=saved["cursor"], waitMs=50000))
    gone = join(home)
    gone.begin("get_changes", since=saved["cursor"], waitMs=50000)
    gone.link.close()
    last = page.begin("get_changes", since=saved["cursor"], waitMs=50000)
    writer.use("add_resource", typeId=GROUP)
    need(len(page.end(last)["nodes"]) == 1, "the one that was not cancelled")
    # By its id: once this one is closed, another is the current one, and would be asked.
    last = page.begin("get_changes", since=page.diagram()["cursor"], waitMs=50000, project=project["id"])
    writer.use("close_project", project=project["id"], discard=True)
    try:
        answer = page.end(last)
        need(False, f"answered after it was closed: {answer}")
    except studio.Fault as fault:
        need(fault.code == "PROJECT_NOT_FOUND", fault.code)
    for client in (page, writer):
        client.link.close()


# ---- SC-020 ----

class Named(studio.Assistant):
    """A client that calls itself what it likes."""

    def __init__(self, home, name):
        self.name = name
        super().__init__(links.Stdio([daemon.TENON, "mcp", "studio"], env=home.env))

    def hello(self):
        self.ask("initialize", {"protocolVersion": self.revision, "capabilities": {},
                                "clientInfo": {"name": self.name, "version": "1"}})
        self.notify("notifications/initialized")


def actors(home):
    """Who made a change: the same id for one client, whatever its connection; nobody becomes a person by a name."""
    page = whole(home)
    page.use("new_project", name="actors", directoryPath=home.folder)
    clients = [Named(home, name) for name in ("ada", "ada", "bob", "user (page)", "p/local/ada/1")]
    for client in clients:
        client.add(GROUP)
    changes = page.use("list_changes")["changes"][-5:]
    found = [change["actor"] for change in changes]
    need([(one["name"], one["person"]) for one in found] ==
         [("ada", False), ("ada", False), ("bob", False), ("user (page)", False), ("p/local/ada/1", False)], f"{found}")
    need(found[0] == found[1] and len({one["id"] for one in found}) == 4, f"{found}")
    need(len({one["colour"] for one in found}) == 4 and all(one["colour"] in range(8) for one in found), f"{found}")
    need([change["actorName"] for change in changes] == [one["name"] for one in found], "actorName")
    need(all("truncated" not in change and len(change["instanceIds"]) == 1 for change in changes), f"{changes}")
    news = page.use("get_changes", since=page.diagram()["cursor"])
    need(news["changes"] == [], f"{news}")
    cursor = news["cursor"]
    group = page.add(GROUP)
    page.use("execute_batch", operations=[{"tool": "add_resource", "arguments": {"typeId": PLAN, "parentId": group}}] * 300)
    last = page.use("get_changes", since=cursor)["changes"][-1]
    need(last["truncated"] is True and last["count"] in (300, 301) and 50 < len(last["instanceIds"]) < 300,
         f"{last.get('count')} of which {len(last['instanceIds'])}")
    need(last == page.use("list_changes", limit=1)["changes"][0], "list_changes says otherwise")
    clients[2].use("undo_change")
    undo = page.use("list_changes", limit=1)["changes"][0]
    need(undo["kind"] == "undo" and undo["actor"] == found[2], f"{undo}")
    for client in [page, *clients]:
        client.link.close()


# ---- SC-027 ----

def edges(home):
    """An edge is drawn elsewhere and labelled, each as one change; what pictures a reference moves with it."""
    client = whole(home)
    client.use("new_project", name="edges", directoryPath=home.folder)
    group = client.add(GROUP)
    first, second, app = client.add(PLAN, group), client.add(PLAN, group), client.add(APP, group)
    edge = client.use("connect_resources", sourceInstanceId=first, sourceHandle="asp-out", targetInstanceId=app,
                      targetHandle="asp-in")["edgeId"]
    before = client.diagram()
    moved = client.use("update_edge", edgeId=edge, source=second, label="runs on")
    after = client.diagram()
    need(moved["edgeId"] == edge and after["revision"] == before["revision"] + 1, f"{moved}")
    need([(one["id"], one["source"], one.get("label")) for one in after["edges"]] == [(edge, second, "runs on")], f"{after['edges']}")
    need({node["id"]: node for node in after["nodes"]}[app]["effectiveReferences"]["service_plan_id"] == second, "the reference")
    news = client.use("get_changes", since=before["cursor"])
    need([one["id"] for one in news["edges"]] == [edge] and not news["removedEdges"], f"{news}")
    client.use("undo_change")
    need(studio.bare(client.diagram()["edges"]) == studio.bare(before["edges"]), "undo")
    for wrong, code in (({"edgeId": "nobody"}, "NOT_FOUND"), ({"edgeId": edge, "target": "nobody"}, "NOT_FOUND"),
                        ({"edgeId": edge, "source": app}, "CONNECTION_NOT_ALLOWED"), ({"edgeId": edge, "label": 5}, "INVALID_INPUT"),
                        ({"label": "x"}, "INVALID_INPUT"), ({"edgeId": edge, "label": "x" * 129}, "INVALID_INPUT"),
                        ({"edgeId": edge, "label": "x", "expectedRevision": 1}, "STALE_REVISION")):
        need(client.code_of("update_edge", **wrong) == code, f"{wrong} is not {code}")
    need(studio.bare(client.diagram()["edges"]) == studio.bare(before["edges"]), "something refused has changed it")
    client.link.close()


def main():
    with daemon.Home() as home:
        home.tenon("up")
        page, writer = join(home), join(home)
        with Step("studio-follow", "SC-010 the parts of each project"):
            first, second = parts_of(page, writer, home)
        with Step("studio-follow", "SC-010 updates with their revision"):
            told_of(page, writer, first, second)
        for client in (page, writer):
            client.link.close()
        for seed, large in ((7, 0), (20, 0), (3, 4)):
            with Step("studio-follow", f"SC-011 the law, seed {seed}, {100 * large} nodes more"):
                law(home, seed, 50 if large else 250, large)
        with Step("studio-follow", "SC-011 one moved leaf is 4 kB"):
            sizes(home)
        with Step("studio-follow", "SC-011 asked for more than before"):
            more_later(home)
        with Step("studio-follow", "SC-011 what is no revision and no cursor"):
            wrong_since(home)
        with Step("studio-follow", "SC-011 waiting"):
            waits(home)
        with Step("studio-follow", "SC-020 who made a change"):
            actors(home)
        with Step("studio-follow", "SC-027 an edge is labelled and drawn elsewhere"):
            edges(home)
        home.tenon("down")
    return 1 if check.failures else 0


sys.exit(main())
