#!/usr/bin/env python3
"""acts.py - what a person approved is what runs (studio.md ST-081): with real files, the fake engine and a real
one where there is one. Whatever is changed between question and use is asked about again, or refused. (A plan that is
swapped: tests/attacks/line_18_consent.py.)"""
import json
import os
import shutil
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import studio  # noqa: E402
from check import Step, need  # noqa: E402
import check  # noqa: E402

FAKE = os.path.abspath(os.path.join(os.path.dirname(__file__), "fake_engine"))
DATA = "builtin/core/data"
TEXT_MAX = 4096


class Person(studio.Assistant):
    """A client whose user is asked: `questions` are the texts they saw. The first is approved after `meanwhile`
    was called, and all later ones are refused."""

    def __init__(self, *arguments, **more):
        self.questions, self.meanwhile, self.approved = [], None, 1
        super().__init__(*arguments, **more)

    def take(self, timeout_s):
        message = self.link.receive(timeout_s)
        if message.get("method") == "elicitation/create":
            self.questions.append(message["params"]["message"])
            yes = len(self.questions) <= self.approved
            if yes and self.meanwhile:
                self.meanwhile()
            words = message["params"]["requestedSchema"]["properties"]["decision"]["enum"]
            self.link.send({"jsonrpc": "2.0", "id": message["id"], "result": {
                "action": "accept", "content": {"decision": words[0] if yes else words[-1]}}})
        elif "method" in message:
            self.notes.append(message)
        else:
            self.answers[message["id"]] = message


class Asked(studio.Served):
    """The studio with a person who is asked."""

    def __init__(self, engine, **env):
        self.engine = engine
        super().__init__(env={"TENON_TERRAFORM": engine, "CHECKPOINT_DISABLE": "1", **env})

    def start(self):
        if "TENON_CONSENT" in self.env and not self.env.pop("KEEP_CONSENT", None):
            del self.env["TENON_CONSENT"]
        self.link = studio.links.Stdio([studio.daemon.TENON, "serve", "studio"], env=self.env, errors=self.errors)
        self.client = Person(self.link, 120)

    fault = ""

    def run(self, command, meanwhile=None, **arguments):
        """The result, or the code of the error; and how often somebody was asked."""
        client = self.client
        client.questions, client.meanwhile = [], meanwhile
        if command in ("apply", "destroy"):
            arguments["confirmed"] = True
        try:
            result = client.use("run_terraform", command=command, **arguments)
        except studio.Fault as fault:
            result, self.fault = fault.code, str(fault)
        return result, len(client.questions)

    def begin(self, name):
        """A project whose node `alpha` exists; its folder."""
        path = self.client.use("new_project", name=name, directoryPath=self.folder)["project"]["path"]
        self.client.add(DATA, label="alpha", properties={"input": "one"})
        result, asked = self.run("apply")
        need(asked == 1 and result["success"], f"{asked} {result}")
        return path


def addresses(path):
    """What the state says there is."""
    with open(os.path.join(path, "terraform/terraform.tfstate"), encoding="utf-8") as file:
        state = json.load(file)
    if "fake" in state:
        return sorted(state["fake"])
    return sorted(f"{one['type']}.{one['name']}" for one in state["resources"] if one["instances"])


def plan_file(path, plan):
    return os.path.join(path, ".tenon/runs", plan, "plan.tfplan")


def append(path, data=b"\n"):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "ab") as file:
        file.write(data)


# ---- the plan ----


def racing(place, rounds):
    """Plan files that change all the time while applies run that are allowed beforehand: none runs the other."""
    path = place.begin_allowed("racing")
    client, ran = place.client, 0
    for number in range(rounds):
        client.add(DATA, label=f"more{number}")
        adds, _ = place.run("plan")
        kills, _ = place.run("plan", destroy=True)
        first, other = plan_file(path, adds["planId"]), plan_file(path, kills["planId"])
        texts = [open(first, "rb").read(), open(other, "rb").read()]
        stop = threading.Event()

        def flip():
            while not stop.is_set():
                for text in texts:
                    with open(first + ".new", "wb") as file:
                        file.write(text)
                    os.replace(first + ".new", first)

        before = addresses(path)
        thread = threading.Thread(target=flip)
        thread.start()
        result, _ = place.run("apply", planId=adds["planId"])
        stop.set()
        thread.join()
        if result == "STALE_PLAN":
            need(addresses(path) == before, "a refused apply did something")
        else:
            ran += 1
            need(result["success"] and result["summary"]["remove"] == 0 and set(before) < set(addresses(path)),
                 f"{result}")
    return ran


class Allowed(Asked):
    """Nobody is asked: everything was allowed beforehand."""

    def __init__(self, engine):
        super().__init__(engine, KEEP_CONSENT="1", TENON_CONSENT="allow")

    def begin_allowed(self, name):
        path = self.client.use("new_project", name=name, directoryPath=self.folder)["project"]["path"]
        self.client.add(DATA, label="alpha", properties={"input": "one"})
        need(self.run("apply")[0]["success"], "the first apply")
        return path


# ---- any input ----


def changes_of(place, path, alpha):
    """What may become another one between the question and the use; each is undone by what it returns."""
    terraform = os.path.join(path, "terraform")

    def added(name, data=b"\n"):
        def change():
            append(os.path.join(terraform, name), data)
        return change

    def folder():
        shutil.copytree(terraform, terraform + ".other", symlinks=True)
        os.rename(terraform, terraform + ".old")
        os.rename(terraform + ".other", terraform)

    def linked():
        os.rename(terraform, terraform + ".real")
        os.symlink(terraform + ".real", terraform)

    def value():
        place.client.answers.pop(0, None)
        state = os.path.join(terraform, "terraform.tfstate")
        data = json.load(open(state, encoding="utf-8"))
        data["serial"] += 1
        json.dump(data, open(state, "w", encoding="utf-8"))

    return {"a file of the user's": added("mine.tf", b'resource "terraform_data" "mine" {}\n'),
            "a file of OpenTofu's": added("mine.tofu", b'resource "terraform_data" "mine" {}\n'),
            "a file in JSON": added("mine.tf.json", b"{}"),
            "values": added("my.auto.tfvars", b"\n"), "values without auto": added("terraform.tfvars.json", b"{}"),
            "the lock file": added(".terraform.lock.hcl", b"\n"),
            "a provider": added(".terraform/providers/a/b/c", b"x"),
            "the modules": added(".terraform/modules/modules.json", b"{}"),
            "the workspace": added(".terraform/environment", b"other"),
            "a file that is read": added("scripts/run.sh", b"echo\n"),
            "the state": value, "the folder": folder, "a link in the folder's place": linked,
            "the engine": lambda: append(place.engine, b"\n# x\n"),
            "the engine's own settings": lambda: append(os.path.join(place.folder, ".terraformrc"), b"\n")}


def any_input(engine):
    names = None
    index = 0
    while names is None or index < len(names):
        folder_engine = os.path.join(os.path.realpath(os.environ.get("TMPDIR", "/tmp")), f"engine-{os.getpid()}")
        shutil.copy(engine, folder_engine)
        try:
            with Asked(folder_engine) as place:
                path = place.begin("inputs")
                changes = changes_of(place, path, None)
                names = list(changes)
                name = names[index]
                place.client.add(DATA, label="beta")
                before = addresses(path)
                result, asked = place.run("apply", changes[name])
                need(result in ("CONSENT_DECLINED", "STALE_PLAN", "GENERATED_FILE_EDITED", "IO_ERROR", "PATH_NOT_ALLOWED",
                                "TERRAFORM_NOT_FOUND", "ENGINE_FAILED"), f"{name}: {asked} {result}")
                need((asked == 2) == (result == "CONSENT_DECLINED"), f"{name}: {asked} {result}")
                state = os.path.join(path, "terraform/terraform.tfstate")
                need(not os.path.exists(state) or addresses(path) == before, f"{name}: it ran all the same")
        finally:
            os.unlink(folder_engine)
        index += 1
    return len(names)


def unchanged(place):
    """What nobody touched is asked about once, and runs; what was refused is asked about anew."""
    path = place.begin("unchanged")
    place.client.add(DATA, label="beta")
    place.client.approved = 0
    result, asked = place.run("apply")
    need((result, asked) == ("CONSENT_DECLINED", 1), f"{asked} {result}")
    place.client.approved = 1
    result, asked = place.run("apply")
    need(asked == 1 and result["success"] and result["command"] == "apply", f"{asked} {result}")
    result, asked = place.run("destroy")
    need(asked == 1 and result["success"] and result["summary"]["remove"] == 2, f"{asked} {result}")
    need(addresses(path) == [], f"{addresses(path)}")


# ---- the question ----


def question(place):
    """Counts first, then every address with action and reason, the gravest first; folder and engine after it."""
    path = place.begin("question")
    client = place.client
    alpha = client.diagram()["nodes"][0]["instanceId"]
    client.add(DATA, label="beta")
    client.use("update_resource", instanceId=alpha, properties={"triggers_replace": ["1"]})
    client.approved = 0
    place.run("apply")
    text = client.questions[0]
    first = [line for line in text.split("\n") if line.startswith("Apply the diagram question: ")]
    need(first and "to add" in first[0] and text.index(first[0]) < text.index("terraform_data."), text)
    need("create terraform_data.beta" in text and "terraform_data.alpha" in text, text)
    need(text.index("terraform_data.alpha") < text.index("create terraform_data.beta"), "the gravest first")
    need(f"Folder: {path}/terraform" in text and "Engine: " in text and place.engine in text, text)
    client.approved = 1
    place.run("apply")
    for number in range(120):
        client.add(DATA, label=f"a node with quite a long name so that it fills the question {number}")
    client.approved = 0
    place.run("apply")
    text = client.questions[0]
    body = text.split("\n\n", 1)[1]
    need(" more: " in body and "to create" in body and "get_plan" in body, body)
    need(len(body.encode()) < 2 * TEXT_MAX and "not shown" not in body and "Engine: " in body, body)
    shown = sum(line.startswith("create ") for line in body.split("\n"))
    rest = int(body.split("\nand ")[1].split(" ")[0])
    need(shown + rest == 120, f"{shown} and {rest} of 120")
    place.run("destroy")
    text = client.questions[0]
    need(text.index("DESTROY terraform_data.alpha") < text.index("Folder: "), text)
    client.approved = 1


def reasons(place):
    """A real engine says why something is replaced."""
    place.begin("reasons")
    alpha = place.client.diagram()["nodes"][0]["instanceId"]
    place.client.use("update_resource", instanceId=alpha, properties={"triggers_replace": ["1"]})
    place.client.approved = 0
    place.run("apply")
    text = place.client.questions[0]
    need("REPLACE terraform_data.alpha: " in text and "triggers_replace" in text, text)
    need("1 to add, 0 to change, 1 to destroy" in text, text)


def main():
    engines = {"the fake engine": FAKE}
    engines |= {name: shutil.which(name) for name in ("terraform", "tofu") if shutil.which(name)}
    for name, engine in engines.items():
        parts = [("nothing changed", unchanged), ("the question", question)]
        for title, part in parts + ([("why", reasons)] if engine != FAKE else []):
            with Step("studio-acts", f"ST-081 {title} ({name})"):
                with Asked(engine) as place:
                    part(place)
        with Step("studio-acts", f"ST-081 plan files that change all the time ({name})"):
            with Allowed(engine) as place:
                ran = racing(place, 12)
                print(f"studio-acts: {ran} of 12 raced applies ran, all of them what was planned", flush=True)
    with Step("studio-acts", "ST-081 any input that changes is asked about again"):
        print(f"studio-acts: {any_input(FAKE)} inputs", flush=True)
    if len(engines) == 1:
        print("studio-acts: SKIPPED: the same with a real engine: neither terraform nor tofu is on PATH", flush=True)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
