#!/usr/bin/env python3
"""rev.py - what an edit expects of the nodes it changes (studio-canvas.md SC-012): every node and edge has the revision of
its last change, and whoever expects another one is told what came between, by whom, and that nothing was done."""
import json
import os
import random
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import daemon  # noqa: E402
import links  # noqa: E402
import studio  # noqa: E402
from check import Step, need  # noqa: E402
import check  # noqa: E402

SUITE = "studio-rev"
GROUP, PLAN, NETWORK, SUBNET, APP = (
    "azurerm/core/resource_group", "azurerm/compute/app_service_plan", "azurerm/networking/virtual_network",
    "azurerm/networking/subnet", "azurerm/compute/app_service")


class Actor(studio.Assistant):
    """A client with a name of its own."""

    def __init__(self, link, name):
        self.name = name
        super().__init__(link)

    def start(self, method, params=None, number=None):
        if method == "initialize":
            params = {**params, "clientInfo": {"name": self.name, "version": "1"}}
        return super().start(method, params, number)

    def refused(self, tool, code="STALE_NODE", **arguments):
        """The error, and the diagram is what it was."""
        before = whole(self)
        try:
            self.use(tool, **arguments)
        except studio.Fault as fault:
            need(fault.code == code, f"{fault}")
            need(whole(self) == before, "something was done all the same")
            return fault.error
        raise AssertionError(f"{tool} {arguments} was not refused")


def relay(home, name):
    return Actor(links.Stdio([daemon.TENON, "mcp", "studio"], env=home.env), name)


def http(home, name):
    found = home.discovery()
    return Actor(links.Http(found["url"] + "/mcp/studio", found["token"]), name)


def socket(home, name):
    found = home.discovery()
    return Actor(links.WebSocket(found["url"] + "/ws/studio", found["token"]), name)


def whole(client):
    """Every node and edge, derived ones too; a tool's answer to a model has less."""
    answer = client.ask("resources/read", {"uri": "studio://diagram/current"})
    diagram = json.loads(answer["result"]["contents"][0]["text"])
    return {key: diagram[key] for key in ("nodes", "edges", "revision")}


def revs(client):
    diagram = whole(client)
    return {one["id"]: one["rev"] for one in diagram["nodes"] + diagram["edges"]}


def changed(client, before):
    """Ids of what has another revision than before, or is new or gone."""
    now = revs(client)
    return {one for one in now.keys() | before.keys() if now.get(one) != before.get(one)}


# ---- what a revision is ----

def stamps(home):
    """Each change gives its revision to what it has changed and to nothing else, and no reader is told another."""
    hand = relay(home, "hand")
    hand.use("new_project", name="stamps", directoryPath=home.folder)
    group = hand.use("add_resource", typeId=GROUP)
    plan = hand.add(PLAN, group["instanceId"])
    group = group["instanceId"]
    now = revs(hand)
    need(now[group] < now[plan], f"{now}")
    app = hand.add(APP, group, references={"service_plan_id": plan})
    before = revs(hand)
    done = hand.use("update_resource", instanceId=plan, properties={"worker_count": 3})
    need(changed(hand, before) == {plan} and revs(hand)[plan] == done["revision"], f"{before} {revs(hand)}")
    before = revs(hand)
    done = hand.use("move_resource", instanceId=app, position={"x": 20, "y": 400})
    moved = changed(hand, before)
    need({app} <= moved <= {app, group}, f"a move changes the node and what grows: {moved}")
    need({revs(hand)[one] for one in moved} == {done["revision"]}, f"{revs(hand)}")
    for form in (hand.diagram()["nodes"], hand.use("list_resources")["resources"]):
        need({one.get("instanceId", one.get("id")): one["rev"] for one in form} == {one: rev for one, rev in revs(hand).items() if one in (group, plan, app)},
             f"{form}")
    before = revs(hand)
    hand.use("execute_batch", dryRun=True, operations=[
        {"tool": "update_resource", "arguments": {"instanceId": plan, "properties": {"worker_count": 9}}},
        {"tool": "remove_resource", "arguments": {"instanceId": app}}])
    need(hand.code_of("execute_batch", operations=[
        {"tool": "remove_resource", "arguments": {"instanceId": app}},
        {"tool": "update_resource", "arguments": {"instanceId": "nobody", "properties": {}}}]) == "BATCH_FAILED", "it was done")
    need(not changed(hand, before), f"what was not done has changed {changed(hand, before)}")
    done = hand.use("undo_change")
    need(revs(hand)[app] == done["revision"] and revs(hand)[plan] == before[plan], "undoing is a change, of what it touches")
    hand.link.close()


def edges(home):
    """Edges have theirs: stored ones, and those that picture a reference, which a move of an end does not change."""
    hand, other = relay(home, "hand"), http(home, "other")
    hand.use("new_project", name="edges", directoryPath=home.folder)
    group = hand.add(GROUP)
    plan, app = hand.add(PLAN, group), hand.add(APP, group)
    edge = hand.use("connect_resources", sourceInstanceId=plan, sourceHandle="asp-out", targetInstanceId=app,
                    targetHandle="asp-in")["edgeId"]
    before = revs(hand)
    need(edge in before, f"{edge} {before}")
    hand.use("move_resource", instanceId=app, position={"x": 600, "y": 60})
    need(edge not in changed(hand, before), "a moved end is no change of the edge")
    stored = [one for one in whole(hand)["edges"] if not one.get("derived")]
    need(all(isinstance(one["rev"], int) and one["rev"] > 0 for one in whole(hand)["edges"]), f"{whole(hand)['edges']}")
    at = revs(hand)[edge]
    hand.use("update_edge", edgeId=edge, label="first", expectedNodes={edge: at})
    if stored:
        error = other.refused("update_edge", edgeId=edge, label="second", expectedNodes={edge: at})
        details = error["details"]
        need(details["instanceId"] == edge and details["edge"] and details["rev"] == revs(hand)[edge], f"{details}")
        need(details["actor"] == "hand", f"{details}")
    now = revs(hand)[edge]
    other.use("disconnect_resources", edgeId=edge, expectedNodes={edge: now})
    error = hand.refused("update_edge", edgeId=edge, label="third", expectedNodes={edge: now})
    need(error["details"]["removed"] and error["details"]["actor"] == "other", f"{error}")
    app2, identity = hand.add(APP, group), hand.add("azurerm/identity/user_assigned_identity", group)
    hand.use("connect_resources", sourceInstanceId=app2, sourceHandle="ref-identity_ids", targetInstanceId=identity, targetHandle="node")
    picture = next(one for one in whole(hand)["edges"] if one.get("derived") and one["source"] == app2)
    at = picture["rev"]
    hand.use("move_resource", instanceId=app2, position={"x": 700, "y": 300})
    need(revs(hand)[picture["id"]] == at, "a reference changed although its node was only moved")
    other.use("disconnect_resources", edgeId=picture["id"], expectedNodes={picture["id"]: at})
    error = hand.refused("disconnect_resources", edgeId=picture["id"], expectedNodes={picture["id"]: at})
    need(error["details"]["removed"], f"{error}")
    hand.link.close()
    other.link.close()


# ---- who is late ----

def late(home):
    """Two clients on every way in; the one that is late by one is told what, who, and what to do."""
    ways = {"relay": relay, "http": http, "socket": socket}
    for number, (name, way) in enumerate(ways.items()):
        hand, other = way(home, f"hand {name}"), relay(home, "Claude Code")
        hand.use("new_project", name=f"late {number}", directoryPath=home.folder)
        group = hand.add(GROUP)
        plan = hand.add(PLAN, group, label="Plan A")
        beside = hand.add(PLAN, group, label="Plan B")
        known = revs(hand)
        did = other.use("update_resource", instanceId=plan, properties={"worker_count": 5}, expectedNodes={plan: known[plan]})
        error = hand.refused("update_resource", instanceId=plan, properties={"worker_count": 7}, expectedNodes={plan: known[plan]})
        details = error["details"]
        line = other.use("list_changes")["changes"][-1]
        need(details["instanceId"] == plan and details["rev"] == did["revision"] and details["expected"] == known[plan], f"{details}")
        need(details["actor"] == "Claude Code" and details["summary"] == line["summary"], f"{details} {line}")
        need(details["changeId"] == did["changeId"] and "mine" not in details, f"{details}")
        for word in ("Plan A", "Claude Code", line["summary"], "get_changes", str(did["revision"])):
            need(word in error["message"], f"'{word}' is not said: {error['message']}")
        # What others did beside it is no hindrance, and neither is it with the revision that is there now.
        other.use("update_resource", instanceId=beside, properties={"worker_count": 2})
        hand.use("update_resource", instanceId=plan, properties={"worker_count": 7}, expectedNodes={plan: details["rev"]})
        for wrong in (known[plan], revs(hand)[plan] + 1, 1 << 40):
            error = hand.refused("remove_resource", instanceId=plan, expectedNodes={plan: wrong})
            need(error["details"]["mine"] and error["details"]["actor"] == f"hand {name}", f"{error}")
        need([one["actor"] for one in hand.refused("remove_resource", instanceId=plan, expectedNodes={plan: known[plan]})["details"]["by"]]
             == ["Claude Code", f"hand {name}"], "all that came between is told")
        now = revs(hand)
        other.use("remove_resource", instanceId=plan)
        error = hand.refused("update_resource", instanceId=plan, properties={"worker_count": 1}, expectedNodes={plan: now[plan]})
        need(error["details"]["removed"] and error["details"]["actor"] == "Claude Code" and
             error["details"]["summary"].startswith("Remove"), f"{error}")
        error = hand.refused("remove_resource", instanceId=beside, expectedNodes={"nobody": 1})
        need(error["details"]["instanceId"] == "nobody" and "actor" not in error["details"], f"{error}")
        for malformed in ({beside: 0}, {beside: "1"}, {beside: None}, [beside], 7):
            hand.refused("remove_resource", "INVALID_INPUT", instanceId=beside, expectedNodes=malformed)
        hand.use("remove_resource", instanceId=beside, expectedNodes={})
        hand.link.close()
        other.link.close()


EDITS = {
    "add_resource": lambda of: {"typeId": PLAN, "parentId": of["group"]},
    "update_resource": lambda of: {"instanceId": of["plan"], "properties": {"worker_count": 8}},
    "remove_resource": lambda of: {"instanceId": of["plan"]},
    "connect_resources": lambda of: {"sourceInstanceId": of["plan"], "sourceHandle": "asp-out", "targetInstanceId": of["app"],
                                     "targetHandle": "asp-in"},
    "disconnect_resources": lambda of: {"edgeId": of["edge"]},
    "update_edge": lambda of: {"edgeId": of["edge"], "label": "x"},
    "move_resource": lambda of: {"instanceId": of["plan"], "position": {"x": 50, "y": 70}},
    "move_resources": lambda of: {"moves": [{"instanceId": of["plan"], "position": {"x": 50, "y": 70}}]},
    "copy_resources": lambda of: {"instanceIds": [of["plan"]]},
    "layout_diagram": lambda of: {},
    "set_project_config": lambda of: {"config": {"environment": "prod"}},
    "execute_batch": lambda of: {"operations": [{"tool": "remove_resource", "arguments": {"instanceId": of["plan"]}}]},
    "undo_change": lambda of: {},
    "redo_change": lambda of: {},
    "import_terraform": lambda of: {"source": "config", "files": {"main.tf": 'resource "azurerm_resource_group" "x" {\n  name = "x"\n  location = "westeurope"\n}\n'}},
}


def every_tool(home):
    """Every tool that takes a revision takes nodes, and looks at them before it does anything."""
    hand, other = relay(home, "hand"), relay(home, "other")
    listed = hand.ask("tools/list", {})["result"]["tools"]
    taking = {one["name"] for one in listed if "expectedRevision" in one["inputSchema"].get("properties", {})}
    need(taking == set(EDITS), f"{taking ^ set(EDITS)}")
    need(all("expectedNodes" in one["inputSchema"]["properties"] for one in listed if one["name"] in taking), "a tool does not take it")
    hand.use("new_project", name="every", directoryPath=home.folder)
    of = {"group": hand.add(GROUP)}
    of["plan"], of["app"] = hand.add(PLAN, of["group"]), hand.add(APP, of["group"])
    of["edge"] = hand.use("connect_resources", sourceInstanceId=hand.add(PLAN, of["group"]), sourceHandle="asp-out",
                          targetInstanceId=hand.add(APP, of["group"]), targetHandle="asp-in")["edgeId"]
    known = revs(hand)
    other.use("update_resource", instanceId=of["plan"], properties={"worker_count": 4})
    for tool, arguments in EDITS.items():
        error = hand.refused(tool, **arguments(of), expectedNodes={of["app"]: known[of["app"]], of["plan"]: known[of["plan"]]})
        need(error["details"]["instanceId"] == of["plan"] and error["details"]["actor"] == "other", f"{tool}: {error}")
    for tool, arguments in EDITS.items():
        try:
            hand.use(tool, **arguments(of), expectedNodes={one: rev for one, rev in revs(hand).items() if one == of["group"]})
        except studio.Fault as fault:
            need(fault.code != "STALE_NODE", f"{tool}: {fault}")
    hand.link.close()
    other.link.close()


def batches(home):
    """A batch with one stale node is refused whole, whoever says it: the batch or one of its operations; a long one, too."""
    hand, other = relay(home, "hand"), relay(home, "other")
    hand.use("new_project", name="batch", directoryPath=home.folder)
    group = hand.add(GROUP)
    plans = [hand.add(PLAN, group, label=f"p {number}") for number in range(3)]
    known = revs(hand)
    other.use("update_resource", instanceId=plans[2], properties={"worker_count": 4})
    operations = [{"tool": "update_resource", "arguments": {"instanceId": one, "properties": {"worker_count": 9},
                                                            "expectedNodes": {one: known[one]}}} for one in plans]
    error = hand.refused("execute_batch", "BATCH_FAILED", operations=operations)
    why = error["details"]["error"]
    need(error["details"]["index"] == 2 and why["error"] == "STALE_NODE" and why["details"]["actor"] == "other", f"{error}")
    bare = [{"tool": one["tool"], "arguments": {key: value for key, value in one["arguments"].items() if key != "expectedNodes"}}
            for one in operations]
    error = hand.refused("execute_batch", operations=bare, expectedNodes={one: known[one] for one in plans})
    need(error["details"]["instanceId"] == plans[2], f"{error}")
    filler = [{"tool": "add_resource", "arguments": {"typeId": PLAN, "parentId": group}} for _ in range(250)]
    error = hand.refused("execute_batch", "BATCH_FAILED", operations=filler + operations)
    need(error["details"]["index"] == 252 and error["details"]["error"]["details"]["actor"] == "other", f"{error}")
    hand.refused("execute_batch", operations=filler + bare, expectedNodes={plans[2]: known[plans[2]]})
    # Twice the same node within one batch: what its own operations do is not between.
    known = revs(hand)
    twice = [{"tool": "update_resource", "arguments": {"instanceId": plans[0], "properties": {"worker_count": number},
                                                       "expectedNodes": {plans[0]: known[plans[0]]}}} for number in (11, 12)]
    done = hand.use("execute_batch", operations=twice)
    need(revs(hand)[plans[0]] == done["revision"], "another revision")
    done = hand.use("execute_batch", operations=filler + [
        {"tool": "update_resource", "arguments": {"instanceId": plans[1], "properties": {"worker_count": 3}}}],
        expectedNodes={plans[1]: known[plans[1]]})
    now = revs(hand)
    need(now[plans[1]] == done["revision"] and sum(rev == done["revision"] for rev in now.values()) >= 251, f"{now}")
    need(now[plans[2]] == known[plans[2]], "a node of which the batch says nothing")
    # Many at once are told, the first in full.
    others = hand.refused("layout_diagram", expectedNodes={one: 1 for one in plans})["details"]["others"]
    need([one["instanceId"] for one in others] == plans[1:], f"{others}")
    hand.link.close()
    other.link.close()


# ---- what a restart keeps ----

def restarts():
    """A killed daemon, saved or not, a closed project, files that changed: a revision means what it meant."""
    with daemon.Home(TENON_CONSENT="allow") as home:
        path = os.path.join(home.folder, "kept")
        hand = relay(home, "hand")
        hand.use("new_project", name="kept", directoryPath=home.folder)
        group = hand.add(GROUP)
        plans = [hand.add(PLAN, group, label=f"p {number}") for number in range(4)]
        app = hand.add(APP, group, references={"service_plan_id": plans[0]})
        hand.use("save_project")
        known = revs(hand)
        other = relay(home, "other")
        other.use("update_resource", instanceId=plans[1], properties={"worker_count": 4})
        other.use("remove_resource", instanceId=plans[2])
        after = revs(hand)
        other.link.close()
        for how in ("kill", "close", "kill"):
            if how == "kill":
                pid = home.discovery()["pid"]
                os.kill(pid, signal.SIGKILL)
                daemon.wait_until(lambda pid=pid: not daemon.is_alive(pid), "the daemon's end")
                hand.link.close()
                hand = relay(home, "hand")
            else:
                hand.use("save_project")
                hand.use("close_project")
            hand.use("open_project", projectPath=path)
            need(revs(hand) == after, f"{how}: {revs(hand)}, not {after}")
            error = hand.refused("update_resource", instanceId=plans[1], properties={"worker_count": 9}, expectedNodes={plans[1]: known[plans[1]]})
            need(error["details"]["actor"] == "other" and error["details"]["summary"], f"{how}: {error}")
            error = hand.refused("move_resource", instanceId=plans[2], expectedNodes={plans[2]: known[plans[2]]})
            need(error["details"]["removed"] and error["details"]["actor"] == "other", f"{how}: {error}")
            hand.use("update_resource", instanceId=plans[3], properties={"worker_count": 2 + len(how)}, expectedNodes={plans[3]: after[plans[3]]})
            after = revs(hand)
        # Files that changed on disk: what they changed is stale, by "files"; the rest is not.
        hand.use("save_project")
        before = revs(hand)
        file = os.path.join(path, "diagram.json")
        with open(file, encoding="utf-8") as source:
            text = source.read()
        need('"rev"' not in text and '"revs"' not in text, "revisions of nodes are no part of what people commit")
        with open(file, "w", encoding="utf-8") as target:
            target.write(text.replace('"label": "p 0"', '"label": "p zero"'))
        daemon.wait_until(lambda: changed(hand, before), "that the files are taken")
        need(changed(hand, before) == {plans[0]}, f"{changed(hand, before)} of {before}")
        error = hand.refused("update_resource", instanceId=plans[0], properties={"worker_count": 9}, expectedNodes={plans[0]: before[plans[0]]})
        need(error["details"]["actor"] == "files", f"{error}")
        hand.use("update_resource", instanceId=app, properties={}, label="a", expectedNodes={app: before[app]})
        # Taking back the reload changes that one node again, and no other.
        before = revs(hand)
        hand.use("undo_change", steps=2)
        need(changed(hand, before) == {plans[0], app}, f"{changed(hand, before)}")
        hand.link.close()


def random_law(home, seed):
    """A property: whatever happens, a node's or edge's record differs from one reading to the next only if its revision
    does, the revision is one of those between, and no revision goes back."""
    chance = random.Random(seed)
    hand = relay(home, "hand")
    hand.use("new_project", name=f"law {seed}", directoryPath=home.folder)
    last = whole(hand)
    derived = {"effectiveName", "effectiveReferences", "deploymentStatus", "terraformType", "rev"}
    for number in range(300):
        act(hand, chance)
        now = whole(hand)
        old = {one["id"]: one for one in last["nodes"] + last["edges"]}
        for one in now["nodes"] + now["edges"]:
            was = old.get(one["id"])
            need(0 < one["rev"] <= now["revision"], f"{one}")
            if not was:
                need(one["rev"] > last["revision"] or one.get("derived"), f"act {number}: new at {one['rev']}, seen {last['revision']}")
                continue
            same = {key: value for key, value in was.items() if key not in derived} == {key: value for key, value in one.items() if key not in derived}
            need(one["rev"] == was["rev"] if one["rev"] <= last["revision"] else one["rev"] > was["rev"], f"act {number}: {was} {one}")
            need(same or one["rev"] > last["revision"], f"act {number}: changed at {one['rev']} without a revision: {was} {one}")
        last = now
    hand.link.close()


def act(client, chance):
    nodes = whole(client)["nodes"]
    ids = [one["id"] for one in nodes]
    one = chance.choice(ids) if ids else None
    groups = [each["id"] for each in nodes if each["typeId"] == GROUP]
    plans = [each["id"] for each in nodes if each["typeId"] == PLAN]
    spot = {"x": chance.randrange(0, 900, 10), "y": chance.randrange(0, 900, 10)}
    acts = [lambda: client.add(GROUP), lambda: client.add(PLAN, chance.choice(groups)),
            lambda: client.add(APP, chance.choice(groups), references={"service_plan_id": chance.choice(plans)}),
            lambda: client.use("update_resource", instanceId=one, properties={}, label=f"l {chance.random()}"),
            lambda: client.use("update_resource", instanceId=one, properties={}, costUsage={"hours": chance.randrange(700)}),
            lambda: client.use("move_resource", instanceId=one, position=spot),
            lambda: client.use("move_resource", instanceId=one, parentId=chance.choice(groups)),
            lambda: client.use("remove_resource", instanceId=one), lambda: client.use("layout_diagram"),
            lambda: client.use("copy_resources", instanceIds=[one]),
            lambda: client.use("disconnect_resources", edgeId=chance.choice(whole(client)["edges"])["id"]),
            lambda: client.use("execute_batch", dryRun=True, operations=[{"tool": "remove_resource", "arguments": {"instanceId": one}}]),
            lambda: client.use("undo_change", steps=chance.randrange(1, 4)), lambda: client.use("redo_change"),
            lambda: client.use("save_project")]
    try:
        chance.choice(acts)()
    except (studio.Fault, IndexError):
        pass


def main():
    with daemon.Home(TENON_CONSENT="allow") as home:
        join = relay(home, "first")  # the first one starts the daemon
        with Step(SUITE, "SC-012: a change gives its revision to what it has changed"):
            stamps(home)
        with Step(SUITE, "SC-012: edges have revisions, and an edit may expect them"):
            edges(home)
        with Step(SUITE, "SC-012: who is late by one is told what, who and what to do, on every way in"):
            late(home)
        with Step(SUITE, "SC-012: every editing tool takes expectedNodes"):
            every_tool(home)
        with Step(SUITE, "SC-012: a batch with one stale node is refused whole"):
            batches(home)
        seed = int(os.environ.get("REV_SEED", str(random.randrange(1 << 30))))
        with Step(SUITE, f"SC-012: revisions follow what changes, seed {seed}"):
            random_law(home, seed)
        join.link.close()
    with Step(SUITE, "SC-012: revisions survive a kill, closing, and files that change"):
        restarts()
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
