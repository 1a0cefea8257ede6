#!/usr/bin/env python3
"""page.py - what the studio's page is made of, as any client gets it (contracts/studio-canvas.md)."""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import studio  # noqa: E402
from check import Step, need  # noqa: E402
import check  # noqa: E402

OWN = {"formatVersion": 1, "palette": [{"id": "own", "label": "Own"}], "types": [
    {"typeId": "builtin/own/availability", "displayName": "Own", "description": "Ours", "category": "own", "terraform": {"type": "terraform_data"},
     "hcl": {"body": []}, "icon": "M2 2l20 20O12 12 4", "properties": []}]}


def read(client, uri):
    return json.loads(client.ask("resources/read", {"uri": uri})["result"]["contents"][0]["text"])


def types_are_whole(client):
    """SC-015: `studio://types` has what get_available_resource_types says with detail full, and the hidden ones."""
    whole = read(client, "studio://types")
    told = client.use("get_available_resource_types", detail="full")
    by_id = {one["typeId"]: one for one in whole["types"]}
    need(len(by_id) == len(whole["types"]) > 100, "types twice")
    need(all(by_id[one["typeId"]] == one for one in told["types"]), "another record")
    need({one["typeId"] for one in whole["types"] if one.get("hidden")} == set(by_id) - {one["typeId"] for one in told["types"]},
         "hidden ones")
    need(whole["groups"] == told["groups"], "other groups")
    known = set(by_id)
    for one in whole["types"]:
        name = one["typeId"]
        need(re.fullmatch(r"(M[-\d. ]+|L[-\d. ]+|C[-\d. ]+|A[-\d. ]+|Z)+", one["sign"]), f"{name}: {one['sign']}")
        need(one["minSize"]["width"] >= 100 and one["minSize"]["height"] >= 40, f"{name}: {one['minSize']}")
        need(set(one["canBeChildOf"]) <= known | {"*"}, f"{name}: inside what nobody knows")
        handles = {handle["id"] for handle in one["handles"]} | {"ref-" + each["key"] for each in one["properties"]}
        for pair in one["connections"]:
            need(pair["otherTypeId"] in known and pair["handle"] in handles | {"node"}, f"{name}: {pair}")
    region = by_id["_annotation/general/region"]
    need(region["transparent"] and region["isContainer"] and region["isAnnotation"], "a region")
    need("transparent" not in by_id["azurerm/core/resource_group"], "a group is no annotation")
    need({one["id"] for one in whole["providers"]} >= {"azurerm", "aws"}, "providers")
    return whole


def signs_go_by_words(whole):
    """SC-015, SC-044: whole words: an availability set is not artificial intelligence; one sign a type in each list."""
    seen = [(one["category"], one["sign"]) for one in whole["types"]]
    need(len(set(seen)) == len(seen), f"{[one for one in seen if seen.count(one) > 1][:2]}")
    sign = {one["typeId"].split("/")[-1]: one["sign"] for one in whole["types"]}
    need(sign["availability_set"] not in (sign["ai_services"], sign["cognitive_account"]), "availability_set is ai")
    need(sign["application_insights"] != sign["app_service"], "insights are an app")


def look_has_all_colours(client, whole):
    """SC-015: `studio://look` has a colour for everything that types, statuses and plans name."""
    look = read(client, "studio://look")
    colour = re.compile(r"#[0-9a-f]{6}([0-9a-f]{2})?")

    def colours(part):
        return [one for value in part.values() for one in colours(value)] if isinstance(part, dict) else \
            [one for value in part for one in colours(value)] if isinstance(part, list) else [part]

    for theme in ("light", "dark"):
        need(all(colour.fullmatch(one) for one in colours(look[theme])), f"{theme}: no colour")
        need(max(one["family"] for one in whole["types"]) < len(look[theme]["families"]) == len(look["families"]), "families")
        need(set(look[theme]["statuses"]) == {"pending", "creating", "updating", "created", "failed", "destroyed"}, "statuses")
        need({"create", "update", "delete", "replace", "no-op"} <= set(look[theme]["actions"]), "actions")
    client.use("new_project", name="seen", directoryPath=os.environ["HOME"])
    client.add("azurerm/core/resource_group")
    for theme in ("light", "dark"):
        svg = client.use("export_diagram", format="svg", options={"theme": theme})["content"]
        family = next(one for one in whole["types"] if one["typeId"] == "azurerm/core/resource_group")["family"]
        need(look[theme]["families"][family]["line"].upper() in svg.upper(), f"{theme}: a picture has other colours")


def own_types_are_followed(client, folder):
    """SC-015: a project with types of its own makes `studio://types` another, and followers are told."""
    client.ask("resources/subscribe", {"uri": "studio://types"})
    path = client.use("new_project", name="own", directoryPath=folder)["project"]["path"]
    client.use("save_project")
    client.use("close_project")
    os.mkdir(os.path.join(path, "types"))
    with open(os.path.join(path, "types/own.json"), "w", encoding="utf-8") as file:
        json.dump(OWN, file)
    client.notes.clear()
    client.use("open_project", projectPath=path)
    while client.wait_note("notifications/resources/updated")["params"]["uri"] != "studio://types":
        pass
    whole = read(client, "studio://types")
    own = next(one for one in whole["types"] if one["typeId"] == "builtin/own/availability")
    need(own["sign"] == "M2 2L22 22M8 12A4 4 0 1 1 16 12A4 4 0 1 1 8 12Z" and own["fromProject"], f"{own}")


def lines_know_their_nodes(client, folder):
    """SC-023: the map says which lines are of which node and property; it is right line by line."""
    client.use("new_project", name="mapped", directoryPath=folder)
    group = client.add(GROUP, label="one")
    network = client.add(NETWORK, group, label="two", properties={"address_space": ["10.7.0.0/16"]})
    plan = client.add(PLAN, group, label="three", properties={"worker_count": 3})
    need("map" not in client.use("generate_hcl", write=False), "a map that nobody asked for")
    made = client.use("generate_hcl", write=False, map=True)
    need(set(made["map"]) <= set(made["files"]), f"{set(made['map'])}")
    found = {}
    for name, places in made["map"].items():
        lines = made["files"][name].split("\n")
        need([one["from"] for one in places] == sorted(one["from"] for one in places), f"{name}: not by lines")
        for one in places:
            need(1 <= one["from"] <= one["to"] <= len(lines), f"{name}: {one}")
            found[one.get("instanceId"), one.get("property")] = "\n".join(lines[one["from"] - 1:one["to"]])
    need(found[network, None].startswith('resource "azurerm_virtual_network"') and found[network, None].endswith("}"),
         f"{found[network, None]}")
    need("10.7.0.0/16" in found[network, "address_space"] and "worker_count" in found[plan, "worker_count"], "properties")
    need("\n" not in found[plan, "worker_count"] and found[plan, "worker_count"].endswith("= 3"), f"{found[plan, 'worker_count']}")
    only = client.use("generate_hcl", write=False, map=True, files=["main.tf"])
    need(set(only["map"]) == {"main.tf"} and only["map"]["main.tf"] == made["map"]["main.tf"], "one file")


GROUP, PLAN, NETWORK, SERVER = ("azurerm/core/resource_group", "azurerm/compute/app_service_plan",
                                "azurerm/networking/virtual_network", "azurerm/database/mssql_server")


def add(kind, parent, **more):
    return {"tool": "add_resource", "arguments": {"typeId": kind, "parentId": parent, **more}}


def large(client, folder):
    """A project of some hundred nodes; its groups and one plan."""
    client.use("new_project", name="large", directoryPath=folder)
    groups = [client.add(GROUP) for _ in range(4)]
    for group in groups:
        client.use("execute_batch", operations=[add(PLAN, group)] * 60 + [add(NETWORK, group)] * 5)
    return groups, client.add(PLAN, groups[0], label="held")


def nodes(client):
    return {one["id"]: one for one in client.use("get_diagram")["nodes"]}


def reads_are_of_one_revision(client, plan):
    """SC-028: what is made aside is of the revision at which it was asked for, whatever comes behind it."""
    revision = client.diagram()["revision"]
    started = [client.begin("get_diagram", include=["diagnostics", "costs", "addresses"]), client.begin("validate_diagram"),
               client.begin("generate_hcl", write=False), client.begin("list_resources"),
               client.begin("export_diagram", format="json")]
    changed = client.begin("update_resource", instanceId=plan, label="another", properties={})
    answers = [client.end(number) for number in started]
    need(all(one["revision"] == revision for one in answers), f"{[one['revision'] for one in answers]}, not {revision}")
    need(next(one for one in answers[0]["nodes"] if one["id"] == plan)["label"] == "held", "a later label")
    need(client.end(changed)["revision"] == revision + 1, "the change")
    for name, part in (("problems", "validate_diagram"), ("costs", "estimate_costs")):
        told, read_ = client.use(part), read(client, f"studio://{name}/current")
        need({key: read_[key] for key in told} == told, f"{name}: the resource says something else")
    need(client.use("get_deployment_status", detail=True)["statuses"][plan] == "pending", "statuses")


def small_and_large_agree(client, folder):
    """SC-028: the same nodes say the same, whether they are read at once or aside."""
    groups, _ = large(client, folder)
    one = client.use("get_diagram", include=["layout", "diagnostics"])
    client.use("execute_batch", operations=[{"tool": "remove_resource", "arguments": {"instanceId": group}}
                                            for group in groups[1:]])
    ids = list(nodes(client))
    client.use("execute_batch", operations=[{"tool": "remove_resource", "arguments": {"instanceId": one}}
                                            for one in ids if one != groups[0]][:-10])
    two = {node["id"]: node for node in client.use("get_diagram", include=["layout", "diagnostics"])["nodes"]}
    need(len(two) < 50, f"{len(two)} left")
    for node in one["nodes"]:
        if node["id"] in two:
            need({key: node[key] for key in ("label", "layout", "properties")} ==
                 {key: two[node["id"]][key] for key in ("label", "layout", "properties")}, f"{node}")


def batches_leave_the_loop(client, groups, plan):
    """SC-028: a long batch is one change; meanwhile others read the revision before, and their edits come behind it, in
    their order."""
    before, revision = nodes(client), client.diagram()["revision"]
    batch = client.begin("execute_batch", operations=[add(PLAN, groups[1], label=f"n{number}") for number in range(400)])
    read_ = client.begin("get_diagram")
    edits = [client.begin("update_resource", instanceId=plan, label=f"label {number}", properties={}) for number in range(5)]
    moved = client.begin("execute_batch", operations=[{"tool": "move_resource", "arguments": {
        "instanceId": plan, "position": {"x": 20 * number, "y": 200}}} for number in range(100)])
    last = client.begin("update_resource", instanceId=plan, notes="the last", properties={})
    ping = client.start("ping")
    seen, pong = client.end(read_), client.finish(ping)
    need("result" in pong and seen["revision"] == revision and len(seen["nodes"]) == len(before),
         f"half a batch was seen: revision {seen['revision']} after {revision}, {len(seen['nodes'])} nodes, {len(before)} before")
    need(batch not in client.answers, "the batch was over before the ping: nothing is measured")
    answers = [client.end(number) for number in [batch, *edits, moved, last]]
    need([one["revision"] for one in answers] == list(range(revision + 1, revision + 9)), f"{[one['revision'] for one in answers]}")
    after = nodes(client)
    need(len(after) == len(before) + 400 and len({one["instanceId"] for one in answers[0]["results"]}) == 400, f"{len(after)} nodes")
    need(after[plan]["label"] == "label 4" and after[plan]["position"] == {"x": 1980, "y": 200}, f"{after[plan]}")
    client.use("undo_change", steps=8)
    need(studio.bare(nodes(client).values()) == studio.bare(before.values()), "undo does not lead back")


def batches_are_whole(client, groups, plan):
    """SC-028: a batch that fails at its end, is cancelled, or only tried, leaves nothing; who waits goes on."""
    before = nodes(client)
    many = [add(PLAN, groups[2]) for _ in range(399)]
    code = client.code_of("execute_batch", operations=many + [add(PLAN, "nothing")])
    need(code == "BATCH_FAILED" and nodes(client) == before, f"{code}")
    tried = client.use("execute_batch", operations=many, dryRun=True)
    need(tried["dryRun"] and len(tried["results"]) == 399 and nodes(client) == before, "a dry run")
    need(client.code_of("execute_batch", operations=many, expectedRevision=1) == "STALE_REVISION", "an old revision")
    batch = client.begin("execute_batch", operations=many)
    behind = client.begin("update_resource", instanceId=plan, label="behind", properties={})
    client.cancel(batch)
    client.end(behind)
    after = nodes(client)
    need(len(after) == len(before) and after[plan]["label"] == "behind", "a cancelled batch")
    # Its project is closed while it is made: nobody is left hanging.
    batch = client.begin("execute_batch", operations=many)
    behind = client.begin("update_resource", instanceId=plan, label="too late", properties={})
    client.use("close_project", discard=True)
    for number in (batch, behind):
        try:
            client.end(number)
            need(False, "an edit of a closed project")
        except studio.Fault:
            pass


def secrets_come_along(client, folder):
    """SC-028: what a long batch sets is set with it, and what a failed one sets is not."""
    groups, _ = large(client, folder)
    servers = [add(SERVER, groups[0], terraformName=f"db{number}", properties={
        "administrator_login": "admin1", "administrator_login_password": f"hunter2hunter{number}"}) for number in range(60)]
    need(client.code_of("execute_batch", operations=servers + [add(PLAN, "nothing")]) == "BATCH_FAILED", "no fault")
    path = next(one["path"] for one in client.use("list_projects")["open"] if one["name"] == "large")
    store = os.path.join(path, ".tenon/secrets.json")
    need(not os.path.exists(store) or "hunter2" not in open(store, encoding="utf-8").read(), "secrets of a batch that failed")
    client.use("execute_batch", operations=servers)
    with open(store, encoding="utf-8") as file:
        kept = json.load(file)
    need(sum(value.startswith("hunter2hunter") for value in kept.values()) == 60, f"{len(kept)} secrets")


def main():
    with studio.Served() as place:
        os.environ["HOME"] = place.folder
        with Step("studio", "SC-015 all types, as forms and drop rules need them"):
            whole = types_are_whole(place.client)
        with Step("studio", "SC-015 signs by whole words"):
            signs_go_by_words(whole)
        with Step("studio", "SC-015 colours, those of pictures"):
            look_has_all_colours(place.client, whole)
        with Step("studio", "SC-015 types of a project, and who follows them"):
            own_types_are_followed(place.client, place.folder)
    with studio.Served() as place:
        groups, plan = large(place.client, place.folder)
        with Step("studio", "SC-028 answers made aside are of one revision"):
            reads_are_of_one_revision(place.client, plan)
        with Step("studio", "SC-028 a long batch, and edits that arrive meanwhile"):
            batches_leave_the_loop(place.client, groups, plan)
        with Step("studio", "SC-028 a long batch is made whole or not at all"):
            batches_are_whole(place.client, groups, plan)
    with studio.Served() as place:
        with Step("studio", "SC-028 at once and aside say the same"):
            small_and_large_agree(place.client, place.folder)
        with Step("studio", "SC-023 lines of the configuration know their nodes"):
            lines_know_their_nodes(place.client, place.folder)
    with studio.Served() as place:
        with Step("studio", "SC-028 secrets of a long batch"):
            secrets_come_along(place.client, place.folder)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
