#!/usr/bin/env python3
"""relative_paths.py - a relative path is meant from where the relay stands (hosts.md HO-012), in every app that takes one,
and allows nothing more than the roots do."""
import os
import sys

for folder in ("../lib", "../terminal"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import check  # noqa: E402
import daemon  # noqa: E402
import links  # noqa: E402
from places import Client, Refused  # noqa: E402

FLAT = "floorplan\n  floor A {\n    room B at (0,0) size (4 x 4) walls [top: solid, right: solid, bottom: solid, left: solid]\n  }\n"
PLAN = """Terraform will perform the following actions:

  # aws_s3_bucket.here will be created
  + resource "aws_s3_bucket" "here" {
      + bucket = "here"
    }

Plan: 1 to add, 0 to change, 0 to destroy.
"""


def step(name):
    return check.Step("relative-paths", name)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def refused(client, tool, **arguments):
    try:
        return f"done: {client.use(tool, **arguments)}"
    except Refused as error:
        return f"{error.code} {error}"


def relay(home, folder, *words):
    return Client(links.Stdio([daemon.TENON, "mcp", "--all", *words], home.env, folder=folder))


def floorplan(home, client, here):
    with step("floorplan: a file is opened and saved where the relay stands"):
        opened = client.use("open_floorplan", path="p.floorplan")
        saved = client.use("save_floorplan", document=opened["document"], path="new.floorplan")
        check.need(saved["path"] == here + "/new.floorplan" and os.path.exists(saved["path"]), f"{saved}")
        check.need(not os.path.exists(home.path("new.floorplan")), "it lies at the root")
        check.need("room B" in client.use("open_floorplan", path="../b/other.floorplan")["dsl"], "beside")
    with step("floorplan: what is not there is not taken from elsewhere, and what is outside stays outside"):
        answer = refused(client, "open_floorplan", path="only-at-the-root.floorplan")
        check.need("done" not in answer, answer)
        answer = refused(client, "save_floorplan", document=opened["document"], path="../../" * 12 + "tmp/x.floorplan")
        check.need("in no folder" in answer, answer)


def plan(home, client):
    with step("plan: a plan is read where the relay stands"):
        read = client.use("terraform_parse", plan_path="plan.txt")
        check.need("aws_s3_bucket.here" in str(read), f"{read}")
        check.need("no_such_file" in refused(client, "terraform_parse", plan_path="root-plan.txt"), "not from the root")
        check.need("path_not_allowed" in refused(client, "terraform_parse", plan_path="../a/plan.txt"), "no way up")


def studio(client, here):
    with step("studio: projects are made, listed, opened and named by paths from where the relay stands"):
        made = client.use("new_project", name="one", directoryPath=".")
        check.need(made["project"]["path"] == here + "/one", f"{made['project']}")
        check.need("one" in str(client.use("list_folders", path=".")["folders"]), "listed")
        opened = client.use("open_project", projectPath="one")
        check.need(opened["project"]["path"] == here + "/one", f"{opened['project']}")
        client.use("save_project", project="one")
    with step("studio: an import is read from there; an export goes to the project, or below it where the relay stands in it"):
        client.use("import_terraform", source="config", path="tf")
        exported = client.use("export_diagram", format="json", path="out.json")
        check.need(os.path.exists(here + "/one/out.json"), f"{exported}")
        node = client.use("get_diagram")["nodes"][0]
        client.use("new_project", name="two", directoryPath="./")
        client.use("copy_resources", instanceIds=[node.get("instanceId") or node["id"]], fromProject="one")
        check.need(len(client.use("get_diagram", project="two")["nodes"]) == 1, "copied")
        answer = refused(client, "open_project", projectPath="../../../../../../../usr")
        check.need("PATH_NOT_ALLOWED" in answer, answer)


def inside(home, here):
    os.makedirs(here + "/one/docs", exist_ok=True)
    with relay(home, here + "/one/docs") as client:
        with step("studio: from a folder of the project an export goes there"):
            client.use("export_diagram", project="..", format="json", path="out.json")
            check.need(os.path.exists(here + "/one/docs/out.json"), "it went elsewhere")


def elsewhere(home):
    """Where the relay stands in no root, and where nobody says where they stand, all is as it was."""
    with step("from the root, where the relay stands in none"), relay(home, "/") as client:
        check.need("room B" in client.use("open_floorplan", path="only-at-the-root.floorplan")["dsl"], "floorplan")
        check.need("aws_s3_bucket.here" in str(client.use("terraform_parse", plan_path="root-plan.txt")), "plan")
        answer = refused(client, "open_project", projectPath="one")
        check.need("is not absolute" in answer, answer)
    found = home.discovery()
    http = Client(links.Http(found["url"].rstrip("/") + "/mcp?tools=all", home.tenon("token").stdout.strip()))
    with step("from the root over HTTP"), http as client:
        check.need("room B" in client.use("open_floorplan", path="only-at-the-root.floorplan")["dsl"], "floorplan")
        check.need("is not absolute" in refused(client, "open_project", projectPath="a/one"), "studio")


def main():
    with daemon.Home() as home:
        home.env |= {"TENON_FLOORPLAN_ROOTS": home.folder, "TENON_PLAN_PATHS": home.folder, "TENON_CONSENT": "allow"}
        here = home.path("a")
        write(here + "/p.floorplan", FLAT)
        write(home.path("b", "other.floorplan"), FLAT)
        write(home.path("only-at-the-root.floorplan"), FLAT)
        write(here + "/plan.txt", PLAN)
        write(home.path("root-plan.txt"), PLAN)
        write(here + "/tf/main.tf", 'resource "azurerm_resource_group" "main" {\n  name = "rg"\n  location = "westeurope"\n}\n')
        home.tenon("up")
        with relay(home, here) as client:
            floorplan(home, client, here)
            plan(home, client)
            studio(client, here)
        inside(home, here)
        elsewhere(home)
    with step("without an allowed folder the message says what to set"), daemon.Home() as home:
        home.env["TENON_FLOORPLAN_ROOTS"] = home.path("none")
        home.tenon("up")
        with relay(home, home.folder) as client:
            check.need("TENON_PLAN_PATHS" in refused(client, "terraform_parse", plan_path="plan.txt"), "plan")
            check.need("floorplan.roots" in refused(client, "open_floorplan", path="p.floorplan"), "floorplan")
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
