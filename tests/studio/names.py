#!/usr/bin/env python3
"""names.py - what is called main in Terraform is called main in the studio, over a daemon: taken in, added, renamed,
copied, undone, saved; with each secret its node's own."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import studio  # noqa: E402
from check import Step, need  # noqa: E402
import check  # noqa: E402

SOURCE = os.path.join(os.path.dirname(__file__), "../data/studio/import/main/main.tf")
GROUP, NETWORK, SQL = "azurerm/core/resource_group", "azurerm/networking/virtual_network", "azurerm/database/mssql_server"
SECRETS = {"machine_password": "Canary-machine-1", "server_password": "Canary-server-22", "other_password": "Canary-other-333"}
VARIABLES = {"main_admin_password", "mssql_server_main_administrator_login_password",
             "mysql_flexible_server_main_administrator_password"}


def addresses(text):
    return re.findall(r'^resource "(\w+)" "([\w-]+)"', text, re.M)


def variables(files):
    return re.findall(r'^variable "([\w-]+)"', files["variables.tf"], re.M)


def written(client):
    return client.use("generate_hcl")["files"]


def called(client, kind):
    """The id of the one node of a type that is called main."""
    found = [one["id"] for one in client.diagram()["nodes"] if (one["typeId"], one["terraformName"]) == (kind, "main")]
    need(len(found) == 1, f"one {kind} is called main: {found}")
    return found[0]


def secret_of(client, node, key):
    entry = [one for one in client.use("list_resources")["resources"] if one["instanceId"] == node]
    return entry[0]["properties"].get(key)


def imported(place, name):
    client = place.client
    client.use("new_project", name=name, directoryPath=place.folder)
    with open(SOURCE, encoding="utf-8") as source:
        files = {"main.tf": source.read()}
    files["terraform.tfvars"] = "".join(f'{key} = "{value}"\n' for key, value in SECRETS.items())
    answer = client.use("import_terraform", source="config", files=files)
    return client, files, answer


def taken_in(place):
    client, files, answer = imported(place, "taken")
    need(not answer["renamed"] and not answer["faults"], f"nothing is renamed: {answer}")
    made = written(client)
    need(sorted(addresses(made["main.tf"])) == sorted(addresses(files["main.tf"])), f"{addresses(made['main.tf'])}")
    need("moved" not in made.get("foreign.tf", ""), made.get("foreign.tf"))
    names = variables(made)
    need(len(names) == len(set(names)) and VARIABLES <= set(names), f"variables are told apart: {names}")
    shown = {one["typeId"]: one.get("ownName") for one in client.diagram()["nodes"]}
    need(shown["azurerm/compute/virtual_machine"] is None and shown[SQL] == "mssql_server_main", f"what they begin with is shown: {shown}")
    said = str(made) + str(answer) + str(client.diagram())
    need(not [one for one in SECRETS.values() if one in said], "no secret is shown")
    again = client.use("import_terraform", source="config", files=files)
    need(again["revision"] == answer["revision"] and not again.get("changeId"), f"a second time it changes nothing: {again}")
    # Of what is generated comes the same.
    client.use("new_project", name="again", directoryPath=place.folder)
    client.use("import_terraform", source="config", files={name: text for name, text in made.items() if not name.endswith(".example")})
    second = written(client)
    for name in ("main.tf", "variables.tf", "outputs.tf"):
        lines = [[line for line in text.splitlines() if not line.startswith("#")] for text in (made[name], second[name])]
        need(lines[0] == lines[1], f"{name}: {second[name]}")


def told(client, tool, **arguments):
    try:
        client.use(tool, **arguments)
    except studio.Fault as fault:
        return fault.error
    return {}


def edited(place):
    client, _, _ = imported(place, "edited")
    group, network = called(client, GROUP), called(client, NETWORK)
    refused = told(client, "add_resource", typeId=GROUP, terraformName="main")
    need(refused.get("error") == "INVALID_INPUT" and group in str(refused), f"the other one is named: {refused}")
    other = client.add(NETWORK, group, terraformName="hub")
    refused = told(client, "update_resource", instanceId=other, properties={}, terraformName="main")
    need(refused.get("error") == "INVALID_INPUT" and network in str(refused), f"the other one is named: {refused}")
    # What somebody else did with the same name in another type is not in the way of an undo.
    first = client.use("add_resource", typeId=GROUP, terraformName="web")
    client.use("add_resource", typeId=NETWORK, terraformName="web")
    client.use("undo_change", changeId=first["changeId"])
    left = [one["typeId"] for one in client.diagram()["nodes"] if one["terraformName"] == "web"]
    need(left == [NETWORK], f"{left}")
    client.use("undo_change")


def secrets(place):
    client, _, _ = imported(place, "secrets")
    server, key = called(client, SQL), "administrator_login_password"
    need(secret_of(client, server, key) == "[redacted]", "what was taken in is kept")
    client.use("update_resource", instanceId=server, properties={}, terraformName="shop")
    need("shop_" + key in variables(written(client)), "a variable goes with its node")
    need(secret_of(client, server, key) == "[redacted]", "and so does its value")
    client.use("undo_change")
    need(VARIABLES <= set(variables(written(client))) and secret_of(client, server, key) == "[redacted]", "and back")
    client.use("remove_resource", instanceId=called(client, "azurerm/database/mysql_flexible_server"))
    need(secret_of(client, server, key) == "[redacted]", "another node's has nothing to do with it")
    client.use("undo_change")
    copies = client.use("copy_resources", instanceIds=[server])
    copy = copies["copies"][server]
    need(secret_of(client, copy, key) == "[redacted]" and not copies["dropped"], f"a copy has it, too: {copies}")
    client.use("update_resource", instanceId=copy, properties={key: None})
    need(secret_of(client, server, key) == "[redacted]" and not secret_of(client, copy, key), "as its own")
    unset = [one for one in client.use("validate_diagram")["diagnostics"]
             if one["code"] == "UNSET_VARIABLE" and one.get("instanceId") == server]
    need(not unset, f"{unset}")


def kept(place):
    client, _, _ = imported(place, "kept")
    before, was = written(client), studio.bare(client.diagram()["nodes"])
    client.use("save_project")
    client.use("close_project")
    client.use("open_project", projectPath=os.path.join(place.folder, "kept"))
    need(written(client) == before and studio.bare(client.diagram()["nodes"]) == was, "saved and opened it is the same")
    client.use("add_resource", typeId=GROUP, terraformName="other")
    place.kill()
    place.start()
    client = place.client
    client.use("open_project", projectPath=os.path.join(place.folder, "kept"))
    client.use("undo_change")
    need(written(client) == before, "and so it is after a crash")
    # Into another project: all of it, with names of its own there.
    ids = [one["id"] for one in client.diagram()["nodes"] if not one["typeId"].startswith("foreign/")]
    source = os.path.join(place.folder, "kept")
    client.use("new_project", name="target", directoryPath=place.folder)
    client.add(GROUP, terraformName="main")
    answer = client.use("copy_resources", instanceIds=ids, fromProject=source)
    need([one for one in answer["dropped"] if "secret" in one["reason"]], f"secrets stay where they are: {answer['dropped']}")
    made = written(client)
    need(len(set(addresses(made["main.tf"]))) == len(addresses(made["main.tf"])), f"{addresses(made['main.tf'])}")
    need(not [one for one in SECRETS.values() if one in str(made)], "and are not shown")


def main():
    with studio.Served() as place:
        for what, act in (("what is called main is called main", taken_in), ("names are one node's of a type", edited),
                          ("a secret is one node's", secrets), ("saved, crashed, copied", kept)):
            with Step("studio-names", what):
                act(place)
    return 1 if check.failures else 0


sys.exit(main())
