#!/usr/bin/env python3
"""hostile.py - paths, files, sizes and words that mean harm (ST-142, ST-143, ST-145, ST-146, studio.md 21; values and
names that end up in HCL, ST-144: tests/attacks/line_20_hcl.py): refused with a clear
error, or kept as the text they are; nothing outside of the project is touched, and the server goes on."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import studio  # noqa: E402
from check import Step, need  # noqa: E402
import check  # noqa: E402

GROUP, PLAN, ACCOUNT = ("azurerm/core/resource_group", "azurerm/compute/app_service_plan",
                        "azurerm/storage/storage_account")

def tree_of(folder):
    found = {}
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in (".tenon",)]
        for name in files:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                found[path] = hash(file.read())
    return found


def alive(place):
    need(place.client.diagram()["revision"] > 0, "no answer")
    need(place.link.process.poll() is None, f"the server has ended: {place.said()}")


def everything_completes(place):
    """ST-120, 14: each argument of each prompt and template, with and without a project, whatever was typed."""
    client = place.client

    def ask(method):
        return client.finish(client.start(method, {}))["result"]

    known = {"provider": "azurerm", "region": "westeurope", "focus": "cost", "what": "problems",
             "typeId": "azurerm/networking/subnet"}
    places = [({"type": "ref/prompt", "name": prompt["name"]}, argument["name"])
              for prompt in ask("prompts/list")["prompts"] for argument in prompt.get("arguments", [])]
    places += [({"type": "ref/resource", "uri": one["uriTemplate"]}, one["uriTemplate"].split("{")[1].split("}")[0].lstrip("+"))
               for one in ask("resources/templates/list")["resourceTemplates"] if "{" in one["uriTemplate"]]
    need({name for _, name in places} >= set(known) | {"runId", "filename"}, f"{places}")
    for ref, name in places:
        for typed in ("", "\0", "x" * 1000, known.get(name, "run")):
            answer = client.finish(client.start("completion/complete", {"ref": ref, "argument": {"name": name, "value": typed}}))
            need("result" in answer or answer["error"]["code"] == -32602, f"{ref} {name}: {answer}")
        values = answer["result"]["completion"]["values"]
        need(name not in known or known[name] in values, f"{ref} {name}: {values}")
    alive(place)


def sizes_are_capped(place):
    client = place.client
    million = "y" * 1_000_000
    group = client.add(GROUP)
    before = client.diagram()["revision"]
    for given in ({"label": million}, {"notes": million}, {"properties": {"name": million}},
                  {"properties": {"tags": {"k": million}}}, {"properties": {f"k{n}": 1 for n in range(600)}},
                  {"references": {f"k{n}": "x" for n in range(600)}}):
        code = client.code_of("update_resource", **{"instanceId": group, "properties": {}, **given})
        need(code in ("INVALID_INPUT", "LIMIT_EXCEEDED"), f"{list(given)}: {code}")
    deep = value = {}
    for _ in range(60):
        value["a"] = {}
        value = value["a"]
    need(client.code_of("update_resource", instanceId=group, properties={"tags": deep}) in
         ("INVALID_INPUT", "LIMIT_EXCEEDED"), "a deep value was taken")
    need(client.code_of("execute_batch", operations=[{"tool": "list_resources", "arguments": {}}] * 501) ==
         "INVALID_INPUT", "501 operations were taken")
    need(client.code_of("execute_batch", operations=[{"tool": "run_terraform", "arguments": {"command": "destroy"}}]) ==
         "BATCH_FAILED", "a run in a batch")
    need(client.diagram()["revision"] == before, "something was changed")
    alive(place)


def paths_stay_inside(place):
    client = place.client
    for name in ("../x", "a/b", "a\\b", ".", "..", " x", "x ", "a:b", "a*b", "", "n" * 101, "a\nb", "con\x01"):
        code = client.code_of("new_project", name=name, directoryPath=place.folder)
        need(code == "INVALID_INPUT", f"{name!r}: {code}")
    for path in ("relative", "/etc", "/proc/self", "/root/../etc"):
        need(client.code_of("new_project", name="x", directoryPath=path) in
             ("INVALID_INPUT", "PATH_NOT_ALLOWED", "PROJECT_NOT_FOUND", "IO_ERROR"), path)
    for path in ("../out.svg", "/tmp/out.svg", "a/../../out.svg", ".tenon/document", "studio.json/x", "link/out.svg"):
        code = client.code_of("export_diagram", format="svg", path=path)
        need(code in ("PATH_NOT_ALLOWED", "INVALID_INPUT", "IO_ERROR"), f"{path}: {code}")
    need(client.code_of("import_terraform", source="config", path="/etc") in
         ("PATH_NOT_ALLOWED", "INVALID_INPUT", "NOT_FOUND"), "/etc was imported")


def project_of_strangers(place):
    """A project made by somebody else: links, broken files, raw types; opening it runs and writes nothing."""
    client = place.client
    folder = os.path.join(place.folder, "stranger")
    os.makedirs(folder)

    def put(name, text):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    good = json.dumps({"formatVersion": 1, "id": "p", "name": "stranger", "created": "2026-01-01T00:00:00Z", "config": {}})
    for text, code in (("", "PROJECT_INVALID"), ("[]", "PROJECT_INVALID"), ("{", "PROJECT_INVALID"),
                       (good.replace('"formatVersion": 1', '"formatVersion": 99'), "FORMAT_TOO_NEW")):
        put("studio.json", text)
        need(client.code_of("open_project", projectPath=folder) == code, f"{text[:40]!r}: not {code}")
        with open(os.path.join(folder, "studio.json"), encoding="utf-8") as file:
            need(file.read() == text, "a broken file was written over")
    put("studio.json", good)
    put("diagram.json", json.dumps({"formatVersion": 1, "revision": 1, "nodes": [
        {"id": "a", "typeId": GROUP, "label": "x", "terraformName": "a b", "parentId": "a", "position": {"x": 1e99, "y": "z"},
         "properties": {"name": ["${x}"]}},
        {"id": "../../x", "typeId": GROUP, "label": "y", "terraformName": "b"},
        {"id": "a", "typeId": "no/such/type", "label": "z", "terraformName": "a b", "extra": 1}],
        "edges": [{"id": "e", "source": "a", "target": "gone", "sourceHandle": "node", "targetHandle": "node"}]}))
    os.symlink("/etc", os.path.join(folder, "terraform"))
    opened = client.code_of("open_project", projectPath=folder)
    need(opened in (None, "PROJECT_INVALID"), f"{opened}")
    if opened is None:
        before = os.listdir("/etc")
        need(client.code_of("generate_hcl") in ("PATH_NOT_ALLOWED", "IO_ERROR", "GENERATED_FILE_EDITED"),
             "it was generated through a link")
        need(os.listdir("/etc") == before, "/etc was written to")
        client.use("close_project", discard=True)


def main():
    with studio.Served(timeout_s=120) as place:
        place.client.use("new_project", name="target", directoryPath=place.folder)
        os.symlink("/tmp", os.path.join(place.folder, "target", "link"))
        outside = tree_of(place.folder)
        with Step("studio-hostile", "ST-120 everything completes"):
            everything_completes(place)
        with Step("studio-hostile", "sizes are capped"):
            sizes_are_capped(place)
        with Step("studio-hostile", "ST-142 paths stay inside"):
            paths_stay_inside(place)
        with Step("studio-hostile", "nothing outside was touched"):
            now = tree_of(place.folder)
            target = os.path.join(place.folder, "target") + os.sep
            changed = [path for path in set(now) | set(outside)
                       if now.get(path) != outside.get(path) and not path.startswith(target)
                       and "/state_home/" not in path and "/state/" not in path and not path.endswith("errors")]
            need(not changed, f"{changed[:5]}")
        with Step("studio-hostile", "ST-143 a project of strangers"):
            project_of_strangers(place)
        with Step("studio-hostile", "it goes on"):
            place.client.use("open_project", projectPath=os.path.join(place.folder, "target"))
            alive(place)
    return 1 if check.failures else 0


sys.exit(main())
