#!/usr/bin/env python3
"""canvas_files.py - what a page needs of the machine's files and of what still exists (studio-canvas.md SC-024, SC-025,
SC-026): ghosts, folders, and configuration that comes without a path."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import daemon  # noqa: E402
import links  # noqa: E402
import studio  # noqa: E402
from check import Step, need  # noqa: E402
import check  # noqa: E402

FAKE = os.path.abspath(os.path.join(os.path.dirname(__file__), "fake_engine"))
DATA, GROUP, NETWORK = "builtin/core/data", "azurerm/core/resource_group", "azurerm/networking/virtual_network"


def join(home):
    return studio.Assistant(links.Stdio([daemon.TENON, "mcp", "studio"], env=home.env))


def run(client, command, **arguments):
    if command in ("apply", "destroy"):
        arguments["confirmed"] = True
    return client.use("run_terraform", command=command, **arguments)


# ---- ghosts ----


def ghosts_of(client):
    return client.use("get_diagram", include=["ghosts"])["ghosts"]


def ghosts(home):
    """A node that was taken away stays a ghost, with its look and place, until the run that destroys it."""
    client = join(home)
    path = client.use("new_project", name="ghosts", directoryPath=home.folder)["project"]["path"]
    group = client.add(GROUP, label="the group")
    net = client.add(NETWORK, group, label="net")
    new = client.add(DATA, label="never applied")
    client.use("remove_resource", instanceId=new)
    need(ghosts_of(client) == [] and "ghosts" not in client.diagram(), "nothing exists")
    need(run(client, "apply")["success"] and ghosts_of(client) == [], "all is drawn")
    client.use("update_resource", instanceId=net, properties={}, label="renamed")
    client.use("move_resource", instanceId=net, position={"x": 60, "y": 100})
    rect = {node["id"]: node["layout"] for node in client.use("get_diagram", include=["layout"])["nodes"]}
    client.use("remove_resource", instanceId=group)
    found = {one["instanceId"]: one for one in ghosts_of(client)}
    need(set(found) == {group, net}, f"{found}")
    need(found[net] == {"instanceId": net, "typeId": NETWORK, "label": "renamed", "parentId": group,
                        "rect": rect[net], "addresses": ["azurerm_virtual_network.net"]}, f"{found[net]} {rect[net]}")
    client.use("undo_change")
    need(ghosts_of(client) == [], "it is drawn again")
    client.use("redo_change")
    plan = run(client, "plan")
    gone = {one["instanceId"]: one["action"] for one in client.use("get_plan", runId=plan["planId"])["changes"]}
    need(gone == {group: "delete", net: "delete"}, f"a plan's changes know their ghosts: {gone}")
    client.use("save_project")
    client.link.close()
    home.tenon("down")
    home.tenon("up")
    client = join(home)
    client.use("open_project", projectPath=path)
    need({one["label"] for one in ghosts_of(client)} == {"the group", "renamed"}, "after a restart")
    need(run(client, "apply")["success"] and ghosts_of(client) == [], "destroyed")
    client.link.close()


# ---- folders ----


def make(folder, *names):
    for name in names:
        os.makedirs(os.path.join(folder, os.path.dirname(name)), exist_ok=True)
        if name.endswith("/"):
            os.makedirs(os.path.join(folder, name), exist_ok=True)
        else:
            open(os.path.join(folder, name), "w", encoding="utf-8").close()


def folders(home, root, outside):
    """Kinds, order, links, what cannot be shown; and of what lies elsewhere not a name."""
    client = join(home)
    make(root, "plain/", "zone/main.tf", "json/x.tf.json", "shop/studio.json", "shop/main.tf", ".hidden/main.tf", "file.tf",
         "deep/er/main.tf", "Ünï cödé/")
    make(outside, "secret/studio.json", "other/")
    os.symlink(os.path.join(root, "shop"), os.path.join(root, "link"))
    os.symlink(os.path.join(outside, "secret"), os.path.join(root, "out"))
    os.symlink("/nowhere", os.path.join(root, "broken"))
    os.symlink(root, os.path.join(root, "loop"))
    os.mkdir(os.fsencode(root) + b"/\xff\xfe")
    os.symlink(os.path.join(outside, "secret", "studio.json"), os.path.join(root, "plain", "studio.json"))
    answer = client.use("list_folders", path=root)
    need(answer == {"path": root, "folders": [{"name": name, "kind": kind} for name, kind in (
        ("deep", "folder"), ("json", "terraform"), ("link", "project"), ("loop", "terraform"), ("plain", "folder"),
        ("shop", "project"), ("zone", "terraform"), ("Ünï cödé", "folder"))], "truncated": False}, f"{answer}")
    below = client.use("list_folders", path=os.path.join(root, "deep/"))
    need(below["parent"] == root and below["folders"] == [{"name": "er", "kind": "terraform"}], f"{below}")
    need(client.use("list_folders", path=os.path.join(root, "link"))["path"] == os.path.join(root, "shop"), "a link inside")
    roots = client.use("list_folders")
    need(roots["path"] == "" and roots["folders"] == [{"name": root, "kind": "terraform"}], f"{roots}")
    # What lies elsewhere, whether it is there or not, sounds the same.
    sounds = set()
    for path in (outside, os.path.join(outside, "secret"), os.path.join(outside, "nothing"), "/", "/etc", "/proc/self/root",
                 os.path.join(root, "out"), os.path.join(root, "..", os.path.basename(outside)),
                 os.path.join(root, "../../../../etc"), os.path.join(root, "deep/../..")):
        try:
            client.use("list_folders", path=path)
            raise AssertionError(f"{path} was listed")
        except studio.Fault as fault:
            sounds.add((fault.code, fault.error["message"].replace(path, "")))
    need(len(sounds) == 1 and list(sounds)[0][0] == "PATH_NOT_ALLOWED", f"{sounds}")
    for path, code in ((os.path.join(root, "file.tf"), "NOT_FOUND"), (os.path.join(root, "none"), "NOT_FOUND"),
                       ("relative", "INVALID_INPUT"), ("", "INVALID_INPUT"), (root + "/" + "a" * 5000, "INVALID_INPUT")):
        need(client.code_of("list_folders", path=path) == code, f"{path[:80]}: {client.code_of('list_folders', path=path)}")
    many = os.path.join(root, "many")
    make(root, *(f"many/n{number:05}/" for number in range(1100)))
    answer = client.use("list_folders", path=many)
    need(len(answer["folders"]) == 1000 and answer["truncated"] and answer["folders"][999]["name"] == "n00999", "many")
    client.link.close()


# ---- import ----

FILES = {"main.tf": 'resource "azurerm_resource_group" "rg" {\n  name     = "rg-a"\n  location = var.region\n}\n'
                    'resource "azurerm_virtual_network" "net" {\n  name                = "net-a"\n'
                    '  resource_group_name = azurerm_resource_group.rg.name\n  location            = var.region\n'
                    '  address_space       = ["10.0.0.0/16"]\n}\n'
                    'resource "random_pet" "odd" {\n  length = 2\n}\n',
         "variables.tf": 'variable "region" {\n  type    = string\n  default = "westeurope"\n}\n',
         "broken.tf": 'resource "azurerm_resource_group" "bad" {\n  name = = 1\n}\n',
         "notes.md": "# nothing\n"}


def taken(home):
    """Texts are taken like a folder of them; a dry run says all and changes nothing."""
    client = join(home)
    client.use("new_project", name="taken", directoryPath=home.folder)
    before = client.diagram()
    folder = os.path.join(home.folder, "configuration")
    os.mkdir(folder)
    for name, text in FILES.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    dry = client.use("import_terraform", source="config", files=FILES, dryRun=True)
    after = client.diagram()
    need(after["nodes"] == before["nodes"] and after["revision"] == before["revision"], "a dry run")
    need({one["terraformName"] for one in dry["mapped"] + dry["partial"]} >= {"rg", "net"}, f"{dry['mapped']} {dry['partial']}")
    need([one["name"] for one in dry["foreign"] if one.get("type") == "random_pet"] == ["odd"], f"{dry['foreign']}")
    fault = dry["faults"][0]
    need(fault["file"] == "broken.tf" and fault["line"] == 2 and fault["column"] > 0 and fault["message"], f"{dry['faults']}")
    need(dry["skippedFiles"] == ["notes.md"] and dry["dryRun"] and isinstance(dry["differenceCount"], int), f"{dry['skippedFiles']}")
    by_path = client.use("import_terraform", source="config", path=folder, dryRun=True)
    for member in ("foreign", "faults", "lost", "renamed", "differenceCount", "unchangedBlocks"):
        if member != "foreign":
            need(dry[member] == by_path[member], f"{member}: {dry[member]} {by_path[member]}")
    need(len(dry["foreign"]) == len(by_path["foreign"]), "foreign blocks")
    done = client.use("import_terraform", source="config", files=FILES)
    need(done["revision"] == before["revision"] + 1, "one change")
    client.use("undo_change")
    need(client.diagram()["nodes"] == before["nodes"], "undone")
    state = {"format_version": "1.0", "values": {"root_module": {"resources": []}}}
    need(client.code_of("import_terraform", source="state", files={"state.json": json.dumps(state)}) in (None, "NOT_FOUND"),
         "a state")
    for wrong in ({"../main.tf": "x"}, {"/etc/passwd": "x"}, {"a/b.tf": "x"}, {".hidden.tf": "x"}, {"": "x"}, {"a\\b.tf": "x"},
                  {"a\n.tf": "x"}, {"n" * 300 + ".tf": "x"}, {"main.tf": 1}, {"main.tf": None}, {"main.tf": {"a": "b"}}):
        need(client.code_of("import_terraform", source="config", files=wrong) == "INVALID_INPUT", f"{str(wrong)[:60]}")
    need(client.code_of("import_terraform", source="config", files={}) == "NOT_FOUND", "no files")
    need(client.code_of("import_terraform", source="config") == "INVALID_INPUT", "neither")
    need(client.code_of("import_terraform", source="config", path=folder, files=FILES) == "INVALID_INPUT", "both")
    need(client.code_of("import_terraform", source="plan", files={"a": "{}", "b": "{}"}) == "INVALID_INPUT", "two plans")
    need(client.diagram()["nodes"] == before["nodes"], "what was refused changed something")
    client.link.close()


def before_a_project(home):
    """SC-185, SC-181: what would come of files in a project that is not made yet, with or without one that is open; and the
    layout that they get is chosen."""
    client = join(home)
    for one in client.use("list_projects")["open"]:
        client.use("close_project", project=one["id"], discard=True)
    need(client.code_of("import_terraform", source="config", files=FILES, dryRun=True) == "NO_PROJECT", "without a project")
    alone = client.use("import_terraform", source="config", files=FILES, dryRun=True, newProject=True)
    need({one["terraformName"] for one in alone["mapped"] + alone["partial"]} >= {"rg", "net"}, f"{alone}")
    need(alone["faults"][0]["file"] == "broken.tf" and alone["dryRun"], f"{alone['faults']}")
    need(client.use("list_projects")["open"] == [], "a project was made")
    client.use("new_project", name="beside", directoryPath=home.folder)
    good = {"main.tf": FILES["main.tf"], "variables.tf": FILES["variables.tf"]}
    client.use("import_terraform", source="config", files=good)
    revision = client.diagram()["revision"]
    # What is open has these already; a new project has nothing.
    need(all(one.get("existing") for one in client.use("import_terraform", source="config", files=good, dryRun=True)["mapped"]), "here")
    again = client.use("import_terraform", source="config", files=good, dryRun=True, newProject=True)
    need(again["mapped"] and not any(one.get("existing") for one in again["mapped"]), f"{again['mapped']}")
    need(client.diagram()["revision"] == revision, "a dry run changed what is open")
    for wrong in ({}, {"dryRun": False}, {"dryRun": True, "into": "x"}, {"dryRun": True, "project": "beside"}):
        need(client.code_of("import_terraform", source="config", files=good, newProject=True, **wrong) == "INVALID_INPUT", f"{wrong}")
    client.use("close_project", discard=True)


LAYERS = {"main.tf": "".join(f'resource "terraform_data" "{name}" {{\n  input = {value}\n}}\n' for name, value in
                             (("a", '"x"'), ("b", "terraform_data.a.output"), ("c", "terraform_data.b.output")))}


def layouts(home):
    """SC-181: the layout is the call's, else the project's."""
    client = join(home)

    def spread(name, config=None, **more):
        client.use("new_project", name=name, directoryPath=home.folder, **({"config": config} if config else {}))
        client.use("import_terraform", source="config", files=LAYERS, **more)
        places = [one["position"] for one in client.diagram()["nodes"]]
        need(len(client.use("list_changes")["changes"]) == 1, "one change")
        client.use("close_project", discard=True)
        return len({one["x"] for one in places}), len({one["y"] for one in places})

    need(spread("across") == (3, 1), "left to right")
    need(spread("down", layout={"direction": "TB"}) == (1, 3), "top to bottom")
    need(spread("own", {"layout": {"direction": "TB"}}) == (1, 3), "as the project is configured")
    need(spread("other", {"layout": {"direction": "TB"}}, layout={"algorithm": "layered", "direction": "LR"}) == (3, 1), "the call's")
    client.link.close()


# ---- costs ----


def costs(home):
    """SC-126: sums of containers, however deep, by the tool and by what a page follows."""
    client = join(home)
    project = client.use("new_project", name="costs", directoryPath=home.folder)["project"]["id"]
    group, empty = client.add(GROUP, label="group"), client.add(GROUP, label="empty")
    plans = [client.add("azurerm/compute/app_service_plan", group, label=name) for name in ("one", "two")]
    told = client.use("estimate_costs", groupBy="container")
    each = [told["estimates"][node]["monthly"] for node in plans]
    need(all(each) and [(one["id"], one["monthly"], one["complete"]) for one in told["groups"]] ==
         [(group, round(sum(each), 2), True)], f"{told['groups']} {each} {empty}")
    for uri in (f"studio://projects/{project}/costs", "studio://costs/current"):
        read = json.loads(client.ask("resources/read", {"uri": uri})["result"]["contents"][0]["text"])
        need(read["groups"] == told["groups"] and read["total"] == told["total"], f"{uri}: {read['groups']}")
    client.link.close()


def main():
    with daemon.Home(TENON_TERRAFORM=FAKE, TENON_CONSENT="allow") as home:
        home.tenon("up")
        for name, part in (("SC-024 ghosts", ghosts), ("SC-026 files instead of a path", taken),
                           ("SC-185 files before there is a project", before_a_project), ("SC-181 how they are laid out", layouts),
                           ("SC-126 sums of containers", costs)):
            with Step("studio-canvas-files", name):
                part(home)
        home.tenon("down", code=None)
    with daemon.Home(TENON_TERRAFORM=FAKE) as home:
        root, outside = (os.path.realpath(home.path(name)) for name in ("allowed", "elsewhere"))
        os.mkdir(root)
        os.mkdir(outside)
        home.env["TENON_STUDIO_ROOTS"] = root
        home.tenon("up")
        with Step("studio-canvas-files", "SC-025 folders"):
            folders(home, root, outside)
        home.tenon("down", code=None)
    return 1 if check.failures else 0


sys.exit(main())
