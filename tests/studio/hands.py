#!/usr/bin/env python3
"""hands.py - what a live canvas asks of the studio (studio-canvas.md section 4): moving many, gestures, undo of one's
own, presence, pointing, copying. Several clients on one daemon."""
import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import daemon  # noqa: E402
import links  # noqa: E402
import studio  # noqa: E402
from check import Step, need  # noqa: E402
import check  # noqa: E402

GROUP, PLAN, NETWORK, SUBNET = ("azurerm/core/resource_group", "azurerm/compute/app_service_plan",
                                "azurerm/networking/virtual_network", "azurerm/networking/subnet")
APP, MACHINE = "azurerm/compute/app_service", "azurerm/compute/virtual_machine"


def join(home):
    return studio.Assistant(links.Stdio([daemon.TENON, "mcp", "studio"], env=home.env))


def whole(client):
    """Every node and edge with all that is stored of it; a tool's answer to a model has less."""
    return json.loads(client.ask("resources/read", {"uri": "terrastudio://diagram/current"})["result"]["contents"][0]["text"])


def boxes(client):
    return {node["instanceId"]: node["layout"] for node in client.use("get_diagram", include=["layout"])["nodes"]}


def changes(client):
    return client.use("list_changes", limit=200)["changes"]


# ---- moving many, gestures (SC-013) ----


def moving_many(ada):
    group = ada.add(GROUP)
    plans = [ada.add(PLAN, group) for _ in range(30)]
    before = whole(ada)
    answer = ada.use("move_resources", moves=[{"instanceId": plan, "position": {"x": 20 + 260 * (i % 6),
                                                                               "y": 60 + 100 * (i // 6)}}
                                              for i, plan in enumerate(plans)])
    need(answer["revision"] == before["revision"] + 1, "more than one change")
    now = boxes(ada)
    for entry in answer["moved"] + answer["grown"]:
        need(entry["size"] == {"width": now[entry["instanceId"]]["width"],
                               "height": now[entry["instanceId"]]["height"]}, f"{entry} is not {now}")
    need([entry["instanceId"] for entry in answer["grown"]] == [group], f"{answer['grown']}")
    need({entry["instanceId"] for entry in answer["moved"]} == set(plans), "not all are told")
    network = ada.add(NETWORK, group)
    subnet = ada.add(SUBNET, network)
    state = whole(ada)
    code = ada.code_of("move_resources", moves=[{"instanceId": plans[0], "position": {"x": 0, "y": 0}},
                                                {"instanceId": plans[1], "parentId": subnet}])
    need(code == "CONTAINMENT_ERROR", code)
    need(ada.code_of("move_resources", moves=[]) == "INVALID_INPUT", "no moves at all")
    need(ada.code_of("move_resources", moves=[{"instanceId": plans[0], "position": {"x": 1}}]) == "INVALID_INPUT",
         "half a position")
    need(ada.code_of("move_resources", moves=[{"instanceId": plans[0]}], expectedRevision=1) == "STALE_REVISION", "old")
    need(whole(ada) == state, "a refused move has changed something")
    ada.use("undo_change")  # the subnet
    ada.use("undo_change")
    ada.use("undo_change")
    need(studio.bare(whole(ada)["nodes"]) == studio.bare(before["nodes"]), "one undo is not all of it")


def off_the_grid(ada):
    """SC-057, SC-058: a hand puts a node where a guide or a key by 1 says; others stay on the grid."""
    group = ada.add(GROUP)
    plan = ada.add(PLAN, group)

    def put(**arguments):
        moved = ada.use("move_resources", moves=[{"instanceId": plan, "position": {"x": 43, "y": 87}}], **arguments)["moved"]
        return moved[0]["position"]

    need(put() == {"x": 40, "y": 80}, "on the grid")
    need(put(snap=False) == {"x": 43, "y": 87}, "as it was put")
    ada.use("execute_batch", operations=[
        {"tool": "move_resources", "arguments": {"snap": False, "moves": [{"instanceId": plan, "position": {"x": 51, "y": 91}}]}},
        {"tool": "move_resource", "arguments": {"instanceId": group, "position": {"x": 33, "y": 47}}}])
    places = {one["id"]: one["position"] for one in whole(ada)["nodes"]}
    need(places[plan] == {"x": 51, "y": 91} and places[group] == {"x": 40, "y": 40}, f"of that operation alone: {places}")
    for _ in range(4):
        ada.use("undo_change")


def gestures(ada, bob):
    group = ada.add(GROUP)
    plan = ada.add(PLAN, group)
    start, listed = whole(ada), len(changes(ada))
    for step in range(10):
        answer = ada.use("move_resources", gesture="arrows", moves=[
            {"instanceId": plan, "position": {"x": 40 + 20 * step, "y": 80}}])
    need(answer["revision"] == start["revision"] + 10, "every step is a revision")
    need(len(changes(ada)) == listed + 1, "ten moves of one gesture are one entry")
    entry = changes(ada)[-1]
    need(entry["changeId"] == answer["changeId"] and entry["revision"] == answer["revision"], f"{entry} {answer}")
    bob.use("undo_change")
    need(studio.bare(whole(ada)["nodes"]) == studio.bare(start["nodes"]), "one undo takes back the whole gesture")
    bob.use("redo_change")
    for text in ("r", "rg", "rg-s", "rg-shop"):
        ada.use("update_resource", instanceId=group, properties={"name": text}, gesture="typing name")
    listed = len(changes(ada))
    ada.use("set_project_config", config={"region": "westeurope"}, gesture="typing region")
    ada.use("set_project_config", config={"region": "northeurope"}, gesture="typing region")
    need(len(changes(ada)) == listed + 1, "the configuration, too")
    ada.use("undo_change")
    edge = ada.use("connect_resources", sourceInstanceId=plan, sourceHandle="asp-out",
                   targetInstanceId=ada.add("azurerm/compute/app_service", group), targetHandle="asp-in")["edgeId"]
    listed = len(changes(ada))
    for text in ("r", "ru", "runs on"):
        ada.use("update_edge", edgeId=edge, label=text, gesture="typing label")
    need(len(changes(ada)) == listed + 1, "the label of an edge, too")
    ada.use("update_resource", instanceId=group, properties={"name": "a"}, gesture="g")
    listed = len(changes(ada))
    bob.use("update_resource", instanceId=plan, properties={}, notes="between", gesture="g")
    ada.use("update_resource", instanceId=group, properties={"name": "b"}, gesture="g")
    need(len(changes(ada)) == listed + 2, "what somebody did between parts a gesture; theirs is not ours")
    need(ada.code_of("update_resource", instanceId=group, properties={}, gesture="x" * 65) == "INVALID_INPUT", "65")


def keeping_places(ada):
    group = ada.add(GROUP)
    plan = ada.add(PLAN, group)
    ada.use("move_resources", moves=[{"instanceId": group, "size": {"width": 1000, "height": 800}},
                                     {"instanceId": plan, "position": {"x": 400, "y": 400}}])
    before = boxes(ada)
    at = before[group]
    resized = {"instanceId": group, "position": {"x": at["x"] - 100, "y": at["y"] - 60},
               "size": {"width": 1100, "height": 860}}
    answer = ada.use("move_resources", moves=[resized])
    now = boxes(ada)
    need(now[plan] == before[plan], "resizing from left and top moved the contents")
    need(now[group]["x"] == at["x"] - 100 and now[group]["width"] == 1100, f"{now[group]}")
    need({entry["instanceId"] for entry in answer["moved"]} == {group, plan}, "whose numbers changed is told")
    ada.use("undo_change")
    ada.use("move_resources", moves=[resized], keepContentPlaces=False)
    need(boxes(ada)[plan]["x"] == before[plan]["x"] - 100, "along, when asked")


# ---- copying (SC-014) ----


def records(client, project):
    uri = f"studio://projects/{project}/diagram"
    answer = json.loads(client.ask("resources/read", {"uri": uri})["result"]["contents"][0]["text"])
    return {node["instanceId"]: node for node in answer["nodes"]}, answer["edges"]


def copying(ada, home):
    project = ada.use("new_project", name="copies", directoryPath=home.folder)["project"]["id"]
    group = ada.add(GROUP, label="Shop")
    network = ada.add(NETWORK, group, label="Net")
    subnet = ada.add(SUBNET, network, label="Web")
    plan = ada.add(PLAN, group)
    app = ada.add(APP, group, label="Site", references={"service_plan_id": plan})
    machine = ada.add(MACHINE, subnet, label="Box", properties={"admin_password": "C4nary-Secret!"})
    before, _ = records(ada, project)
    listed = len(changes(ada))
    answer = ada.use("copy_resources", instanceIds=[group])
    now, edges = records(ada, project)
    copies = answer["copies"]
    need(set(copies) == {group, network, subnet, plan, app, machine} and len(now) == 12, f"{copies}")
    need(len(changes(ada)) == listed + 1, "more than one change")
    need(now[copies[subnet]]["parentId"] == copies[network] and now[copies[network]]["parentId"] == copies[group], "nesting")
    need(now[copies[group]]["label"] == "Shop 2" and
         now[copies[group]]["properties"]["name"] != now[group]["properties"]["name"], "labels and names are free ones")
    need(now[copies[group]]["position"] == {key: value + 20 for key, value in now[group]["position"].items()}, "beside")
    need(now[copies[app]]["references"]["service_plan_id"] == copies[plan], "inner references go to the copies")
    need(now[copies[network]]["properties"]["address_space"] != now[network]["properties"]["address_space"], "a range anew")
    need(all(now[node] == before[node] for node in before), "an original has changed")
    need(now[copies[machine]]["properties"].get("admin_password") == "[redacted]" and answer["dropped"] == [],
         f"secrets go along inside a project: {answer['dropped']}")
    need(len({node["terraformName"] for node in now.values()}) == len(now), "a name twice")
    codes = {one["code"] for one in ada.use("validate_diagram")["diagnostics"]}
    need(not codes & {"DUPLICATE_NAME", "CIDR_OVERLAP", "CIDR_OUTSIDE_PARENT"}, f"{codes}")
    ada.use("undo_change")
    need(records(ada, project)[0] == before, "one step of undo")
    # One that refers to what stays: it goes on referring to it.
    answer = ada.use("copy_resources", instanceIds=[app], into=None, position={"x": 2000, "y": 40})
    alone = records(ada, project)[0][answer["copies"][app]]
    need(alone["references"]["service_plan_id"] == plan and alone.get("parentId") is None and
         alone["position"] == {"x": 2000, "y": 40}, f"{alone}")
    need(ada.code_of("copy_resources", instanceIds=[plan], into=subnet) == "CONTAINMENT_ERROR", "rules hold")
    need(ada.code_of("copy_resources", instanceIds=["nobody"]) == "NOT_FOUND", "nobody")
    need(ada.code_of("copy_resources", into=None) == "INVALID_INPUT", "nothing to copy")
    return project, group, app, machine


def copying_across(ada, home, project, group, app, machine):
    nodes, edges = records(ada, project)
    other = ada.use("new_project", name="other", directoryPath=home.folder)["project"]["id"]
    answer = ada.use("copy_resources", fromProject=project, instanceIds=[app, machine])
    there, _ = records(ada, other)
    need(len(there) == 2, f"{there}")
    lost = {(one["instanceId"], one["property"]) for one in answer["dropped"]}
    need({(app, "service_plan_id"), (machine, "admin_password")} <= lost and all(one["reason"] for one in answer["dropped"]),
         f"{answer['dropped']}")
    need("C4nary" not in json.dumps(answer) + json.dumps(there), "a secret was told")
    text = {"nodes": list(nodes.values()), "edges": edges}
    answer = ada.use("copy_resources", document=text, position={"x": 40, "y": 400})
    need(len(answer["copies"]) == len(nodes), "a document, as get_diagram has it")
    there, _ = records(ada, other)
    need(there[answer["copies"][group]]["parentId"] if "parentId" in nodes[group] else
         there[answer["copies"][group]].get("parentId") is None, "at the top")
    need("C4nary" not in json.dumps(answer) and (machine, "admin_password") in
         {(one["instanceId"], one["property"]) for one in answer["dropped"]}, f"{answer['dropped']}")
    state = records(ada, other)
    loop = [{"id": "a", "typeId": GROUP, "label": "a", "parentId": "b"}, {"id": "b", "typeId": GROUP, "label": "b", "parentId": "a"}]
    for bad in ({"nodes": loop}, {"nodes": [{"id": "x", "typeId": "no/such/type", "label": "x"}]},
                {"nodes": [{"id": "x", "typeId": SUBNET, "label": "x", "properties": {"nothing": 1}}]}, {"nodes": [{}]}):
        need(ada.code_of("copy_resources", document=bad), f"{bad}")
    need(records(ada, other) == state, "a refused copy has changed something")


def main():
    with daemon.Home() as home:
        home.tenon("up")
        ada, bob = join(home), join(home)
        ada.use("new_project", name="shared", directoryPath=home.folder)
        with Step("studio-hands", "SC-013 many nodes, one change"):
            moving_many(ada)
        with Step("studio-hands", "SC-013 a gesture is one entry"):
            gestures(ada, bob)
        with Step("studio-hands", "SC-057, SC-058: places off the grid"):
            off_the_grid(ada)
        with Step("studio-hands", "SC-013 SC-065 contents stay where they are"):
            keeping_places(ada)
        found = None
        with Step("studio-hands", "SC-014 copying inside a project"):
            found = copying(ada, home)
        with Step("studio-hands", "SC-014 copying between projects, and from a document"):
            copying_across(ada, home, *found)
        for client in (ada, bob):
            client.link.close()
        home.tenon("down")
    return 1 if check.failures else 0


sys.exit(main())
