#!/usr/bin/env python3
"""defaults.py - every type of the catalogue as somebody adds it who says nothing of it, in containers added the same way:
what the studio has chosen itself passes its own rules (studio.md 6.2), and what it says of a node stands in the text
that is generated, read by a reader of its own."""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import daemon  # noqa: E402
import links  # noqa: E402
import studio  # noqa: E402
from check import Step, need  # noqa: E402

SUITE = "studio-defaults"
# What only the user can say: a secret, a value or a target that has no sensible default.
THEIRS = {"MISSING_PROPERTY", "MISSING_REFERENCE", "UNSET_VARIABLE"}
BLOCK = re.compile(r'^resource "([a-z0-9_]+)" "([A-Za-z0-9_-]+)" \{(\}|\n.*?^\})$', re.M | re.S)


def types_of(client):
    found, cursor = {}, {}
    while True:
        page = client.use("get_available_resource_types", detail="full", limit=20, **cursor)
        found |= {one["typeId"]: one for one in page["types"]}
        if "nextCursor" not in page:
            return found
        cursor = {"cursor": page["nextCursor"]}


def chain(types, name, seen=()):
    """Containers from the outermost to one that may hold this type; none where it may stand at top level."""
    parents = [one for one in types[name]["canBeChildOf"] if one != "*" and not one.startswith("_")]
    parents = [one for one in parents if one in types and one not in seen]
    if not parents:
        return []
    ways = [chain(types, one, (*seen, name)) + [one] for one in parents]
    return min(ways, key=len)


def place(client, types, name):
    """The node's id, and those of all that was made for it."""
    ids, parent = [], {}
    for one in [*chain(types, name), name]:
        ids.append(client.use("add_resource", typeId=one, **parent)["instanceId"])
        parent = {"parentId": ids[-1]}
    return ids


def whole(client):
    """Every member of each node; a model is told less."""
    return json.loads(client.ask("resources/read", {"uri": "terrastudio://diagram/current"})["result"]["contents"][0]["text"])


def own_making(found, ids):
    return [one for one in found["diagnostics"] if one["severity"] != "info" and one["code"] not in THEIRS
            and (not one.get("instanceId") or one["instanceId"] in ids)]


def written(files):
    """Address to the text of its block."""
    return {f"{kind}.{name}": text for content in files.values() for kind, name, text in BLOCK.findall(content)}


def shown(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def check_text(client, node):
    """The node's own block is there, has its name, and names whatever the node refers to."""
    blocks = written(client.use("generate_hcl", write=False)["files"])
    own = [text for address, text in blocks.items() if address.split(".")[1].startswith(node["terraformName"])]
    need(own, f"{node['typeId']}: no block {node['terraformName']} in {sorted(blocks)}")
    name = node["properties"].get("name")
    if name:
        need(any(f'"{shown(name)}"' in text for text in own), f"{node['typeId']}: the name {name} is not written")
    every = "\n".join(blocks.values())
    others = {one["instanceId"]: one for one in whole(client)["nodes"]}
    for key, targets in {**node.get("references", {}), **node.get("effectiveReferences", {})}.items():
        for target in targets if isinstance(targets, list) else [targets]:
            other = others[target]
            need(re.search(rf"\b[a-z0-9_]+\.{other['terraformName']}\b", every), f"{node['typeId']}: {key} is not written")


def main():
    with daemon.Home() as home:
        home.foreground()
        client = studio.Assistant(links.Stdio([daemon.TENON, "mcp", "studio"], env=home.env))
        client.use("new_project", name="defaults", directoryPath=home.folder, config={
            "region": "westeurope", "providers": {"azurerm": {"subscription_id": "11111111-2222-3333-4444-555555555555"},
                                                  "aws": {"region": "eu-central-1"}}})
        types = types_of(client)
        with Step(SUITE, f"each of {len(types)} types passes its own rules"):
            need(len(types) > 100, len(types))
            checked = 0
            for name, about in types.items():
                if about.get("isAnnotation"):
                    continue
                ids = place(client, types, name)
                made = own_making(client.use("validate_diagram"), ids)
                need(not made, f"{name}: {made[:2]}")
                node = next(one for one in whole(client)["nodes"] if one["instanceId"] == ids[-1])
                if node.get("terraformType"):
                    check_text(client, node)
                    checked += 1
                client.use("remove_resource", instanceId=ids[0])
            need(checked > 100, f"{checked} have a block of their own")
    return 1 if check.failures else 0


sys.exit(main())
