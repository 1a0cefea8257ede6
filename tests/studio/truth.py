#!/usr/bin/env python3
"""truth.py - what the studio accepts is what it writes: zones, names, growth, defaults, over a daemon."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import studio  # noqa: E402
from check import Step, need  # noqa: E402
import check  # noqa: E402

NETWORK, SUBNET = "aws/networking/vpc", "aws/networking/subnet"


def start(place, name, **config):
    place.client.use("new_project", name=name, directoryPath=place.folder)
    if config:
        place.client.use("set_project_config", config=config)
    return place.client


def text(client):
    """All that would be generated."""
    return "\n".join(client.use("generate_hcl")["files"].values())


def told(client, code):
    return [one for one in client.use("validate_diagram")["diagnostics"] if one["code"] == code]


def zones(place):
    client = start(place, "zones", region="eu-north-1")
    network = client.add(NETWORK)
    one, other = client.add(SUBNET, network), client.add(SUBNET, network)
    written = text(client)
    need('"eu-north-1"' in written, "the region that no list has is the provider's")
    need("us-east-1" not in written, f"nothing of another region: {written}")
    client.use("update_resource", instanceId=one, properties={"availability_zone": "eu-north-1a"})
    client.use("update_resource", instanceId=other, properties={"availability_zone": "eu-north-1b"})
    need('"eu-north-1a"' in text(client) and '"eu-north-1b"' in text(client), "zones of the region are taken")
    need(not told(client, "ZONE_OUTSIDE_REGION"), "and nothing is wrong with them")
    client.use("set_project_config", config={"region": "eu-central-1"})
    need(len(told(client, "ZONE_OUTSIDE_REGION")) == 2, "the region moved, the zones did not: that is told")


def lists(place):
    client = start(place, "lists")
    group = client.add("azurerm/core/resource_group")
    plan = client.add("azurerm/compute/app_service_plan", group)
    for stack, wanted in (("NODE|26-lts", 'node_version = "26-lts"'), ("JAVA|25", 'java_version        = "25"')):
        client.add("azurerm/compute/app_service", group, properties={"runtime_stack": stack},
                   references={"service_plan_id": plan})
        need(wanted in text(client), f"{stack} is taken and written: {text(client)}")
    need(client.code_of("add_resource", typeId="azurerm/compute/app_service", parentId=group,
                        properties={"runtime_stack": "COBOL|85"}) == "INVALID_INPUT",
         "what the template has no line for is refused")
    server = client.add("azurerm/database/postgresql_flexible_server", group, properties={"version": "18"})
    need('"18"' in text(client), "a version that came later is written")
    need([one for one in told(client, "UNLISTED_VALUE") if one["instanceId"] == server], "and told of")


def names(place):
    client = start(place, "names")
    group = client.add("azurerm/core/resource_group", properties={"name": "rg-shop"})
    network = client.add("azurerm/networking/virtual_network", group, properties={"name": "vnet.shop"}, label="The network")
    for given, label, name in (({"properties": {"name": "snet-web"}}, "snet-web", "snet_web"),
                               ({"properties": {"name": "snet-db"}, "label": "Data"}, "Data", "snet_db"),
                               ({"label": "Cache net"}, "Cache net", "cache_net"), ({}, "Subnet", "subnet"),
                               ({"properties": {"name": "snet-x"}, "terraformName": "x"}, "snet-x", "x")):
        made = client.use("add_resource", typeId="azurerm/networking/subnet", parentId=network, **given)
        need((made["label"], made["terraformName"]) == (label, name), f"{given}: {made}")
    nodes = {one["id"]: one for one in client.diagram()["nodes"]}
    need((nodes[group]["label"], nodes[group]["terraformName"]) == ("rg-shop", "rg_shop"), f"{nodes[group]}")
    need((nodes[network]["label"], nodes[network]["terraformName"]) == ("The network", "vnet_shop"), f"{nodes[network]}")
    need('"azurerm_subnet" "snet_web"' in text(client), "the address, too")
    account = client.use("add_resource", typeId="azurerm/core/subscription", properties={"display_name": "Production"})
    need(account["label"] == "Production", f"{account}")


def once(place):
    client = start(place, "once")
    group = client.add("azurerm/core/resource_group")
    client.add("azurerm/compute/virtual_machine")
    client.add("azurerm/compute/app_service", group)
    for what, said in (("generate_hcl", client.use("generate_hcl")["diagnostics"]),
                       ("validate_diagram", client.use("validate_diagram")["diagnostics"]),
                       ("get_diagram", [one for node in client.use("get_diagram", include=["diagnostics"])["nodes"]
                                        for one in node.get("diagnostics", [])])):
        faults = [(one["code"], one.get("instanceId"), one.get("property")) for one in said]
        need([one for one in faults if one[0] == "MISSING_REFERENCE"], f"{what} says what is missing: {said}")
        twice = {one for one in faults if faults.count(one) > 1}
        need(not twice, f"{what} says {twice} twice: {said}")


def worst_first(place):
    client = start(place, "worst_first")
    group = client.add("azurerm/core/resource_group")
    server = client.add("azurerm/database/postgresql_flexible_server", group, properties={"version": "18"})
    client.add("azurerm/compute/app_service", group)
    said = client.use("validate_diagram")["diagnostics"]
    order = [("error", "warning", "info").index(one["severity"]) for one in said]
    need(0 in order and 1 in order and [one for one in said if one.get("instanceId") == server], f"errors and warnings: {said}")
    need(order == sorted(order), f"errors come before warnings: {said}")


def growth(place):
    client = start(place, "growth")
    group = client.add("azurerm/core/resource_group")
    networks = [client.add("azurerm/networking/virtual_network", group) for _ in range(3)]

    def places():
        return {one["id"]: (one["position"], one["size"]) for one in client.diagram()["nodes"]}
    before = places()
    for _ in range(5):
        client.add("azurerm/networking/subnet", networks[0])
    grown = places()
    bottom = grown[networks[0]][0]["y"] + grown[networks[0]][1]["height"]
    need(grown[networks[1]][0]["y"] >= bottom, f"the neighbour makes room: {grown}")
    client.use("move_resource", instanceId=networks[2], position={"x": 2000, "y": 100})
    for _ in range(6):
        client.use("undo_change")
    need(places() == before, f"undone, all is where it was: {places()} instead of {before}")


def answers(place):
    client = start(place, "answers")
    types, cursor = [], None
    while True:
        page = client.use("get_available_resource_types", detail="standard", **({"cursor": cursor} if cursor else {}))
        types += page["types"]
        cursor = page.get("nextCursor")
        if not cursor:
            break
    need(len(types) > 100 and all(isinstance(one["canBeChildOf"], list) for one in types),
         f"{[one['typeId'] for one in types if not isinstance(one.get('canBeChildOf'), list)]}")
    for wrong in ("zzzz/qqqq/xxxx", "azurerm/network/vnet"):
        try:
            client.use("add_resource", typeId=wrong)
            need(False, wrong)
        except studio.Fault as fault:
            need(isinstance(fault.error.get("suggestions"), list), f"{fault.error}")


def main():
    with studio.Served() as place:
        for what, act in (("a zone follows its region", zones), ("what a cloud extends is no closed list", lists),
                          ("labels and addresses come from the names that were given", names),
                          ("what grows pushes its neighbours aside, and undo brings them back", growth),
                          ("a fault is said once", once),
                          ("what stops comes before what only warns", worst_first),
                          ("parents and suggestions are lists, always", answers)):
            with Step("studio-truth", what):
                act(place)
    return 1 if check.failures else 0


sys.exit(main())
