#!/usr/bin/env python3
"""fixes.py - what a problem offers as its fix cures it (studio-canvas.md SC-097): every fix is applied as it stands."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import studio  # noqa: E402
from check import Step, need  # noqa: E402
import check  # noqa: E402

GROUP, PLAN, APP, NETWORK, SUBNET = (
    "azurerm/core/resource_group", "azurerm/compute/app_service_plan", "azurerm/compute/app_service",
    "azurerm/networking/virtual_network", "azurerm/networking/subnet")


def problems(client, code):
    return [one for one in client.use("validate_diagram")["diagnostics"] if one["code"] == code]


def cure(client, code):
    """Applies the fix of the first such problem as one batch; it has gone, and nothing worse has come."""
    found = problems(client, code)
    need(found, f"there is no {code}: {client.use('validate_diagram')['diagnostics']}")
    one = next((each for each in found if each.get("fix")), None)
    need(one, f"no fix: {found}")
    before = len(client.use("validate_diagram")["diagnostics"])
    fix = one["fix"] if isinstance(one["fix"], list) else [one["fix"]]
    client.use("execute_batch", operations=[{"tool": each["tool"], "arguments": each["arguments"]} for each in fix])

    def same(other):
        return other.get("instanceId") == one.get("instanceId") and other.get("property") == one.get("property")
    need(not [other for other in problems(client, code) if same(other)], f"{one} is not cured")
    need(len(client.use("validate_diagram")["diagnostics"]) < before, f"{one}: the fix made others")


def start(place, name):
    place.client.use("new_project", name=name, directoryPath=place.folder)
    return place.client


def parent(place):
    client = start(place, "parent")
    client.add("azurerm/core/subscription")
    client.add(GROUP)
    cure(client, "MISSING_PARENT")


def overlap(place):
    client = start(place, "overlap")
    network = client.add(NETWORK, client.add(GROUP))
    client.add(SUBNET, network)
    client.add(SUBNET, network, properties={"address_prefixes": ["10.0.0.0/24"]})
    cure(client, "CIDR_OVERLAP")


def outside(place):
    client = start(place, "outside")
    network = client.add(NETWORK, client.add(GROUP))
    client.add(SUBNET, network, properties={"address_prefixes": ["192.168.7.0/24"]})
    cure(client, "CIDR_OUTSIDE_PARENT")


def names(place):
    client = start(place, "names")
    group = client.add(GROUP)
    for name in ("plan-2", "plan", "plan", "plan"):
        client.add(PLAN, group, properties={"name": name})
    cure(client, "DUPLICATE_NAME")
    cure(client, "DUPLICATE_NAME")
    need(not problems(client, "DUPLICATE_NAME"), "all are told apart")


def reference(place):
    client = start(place, "reference")
    group = client.add(GROUP)
    client.add(PLAN, group)
    client.add(APP, group)
    cure(client, "MISSING_REFERENCE")


def unused(place):
    client = start(place, "unused")
    client.use("set_project_config", config={"variableValues": {"nobody_has_it": 5, "another": "x"}})
    need(len(problems(client, "UNUSED_VARIABLE_VALUE")) == 2, "two values of nobody")
    cure(client, "UNUSED_VARIABLE_VALUE")
    cure(client, "UNUSED_VARIABLE_VALUE")


def main():
    with studio.Served() as place:
        for code, act in (("MISSING_PARENT", parent), ("CIDR_OVERLAP", overlap), ("CIDR_OUTSIDE_PARENT", outside),
                          ("DUPLICATE_NAME", names), ("MISSING_REFERENCE", reference), ("UNUSED_VARIABLE_VALUE", unused)):
            with Step("studio-fixes", f"SC-097 {code} is cured by its fix"):
                act(place)
    return 1 if check.failures else 0


sys.exit(main())
