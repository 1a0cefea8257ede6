#!/usr/bin/env python3
"""together.py - several clients on one diagram (ST-001, ST-155, US-01): one consistent state, in one order."""
import os
import random
import shutil
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import daemon  # noqa: E402
import links  # noqa: E402
import studio  # noqa: E402
from check import Step, need  # noqa: E402
import check  # noqa: E402

GROUP, PLAN, NETWORK = ("azurerm/core/resource_group", "azurerm/compute/app_service_plan",
                        "azurerm/networking/virtual_network")


def join(home):
    return studio.Assistant(links.Stdio([daemon.TENON, "mcp", "studio"], env=home.env))


def in_parallel(functions):
    failures = []

    def run(function):
        try:
            function()
        except Exception as error:  # pylint: disable=broad-except
            failures.append(error)

    threads = [threading.Thread(target=run, args=(function,)) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    need(not failures, f"{failures[:3]}")


def overlaps(nodes):
    found = []
    boxes = [(node["layout"], node["id"], node.get("parentId")) for node in nodes]
    for index, (a, one, parent) in enumerate(boxes):
        for b, other, of in boxes[:index]:
            if parent == of and a["x"] < b["x"] + b["width"] and b["x"] < a["x"] + a["width"] \
                    and a["y"] < b["y"] + b["height"] and b["y"] < a["y"] + a["height"]:
                found.append((one, other))
    return found


def adds_at_once(clients, group):
    """20 adds from each of three clients, all of them sent before the first answer is read."""
    answers = []

    def add(client):
        started = [client.begin("add_resource", typeId=PLAN, parentId=group) for _ in range(20)]
        answers.append([client.end(number) for number in started])

    before = clients[0].diagram()
    in_parallel([lambda client=client: add(client) for client in clients])
    added = [answer for each in answers for answer in each]
    diagram = clients[1].use("get_diagram", include=["layout"])
    need(len(diagram["nodes"]) == len(before["nodes"]) + 60, f"{len(diagram['nodes'])} nodes")
    need(len({answer["instanceId"] for answer in added}) == 60, "an id twice")
    need(len({node["terraformName"] for node in diagram["nodes"]}) == len(diagram["nodes"]), "a name twice")
    need(len({answer["revision"] for answer in added}) == 60, "a revision twice")
    for each in answers:
        need([one["revision"] for one in each] == sorted(one["revision"] for one in each), "answers out of order")
    need(not overlaps(diagram["nodes"]), f"overlaps: {overlaps(diagram['nodes'])[:3]}")
    need(clients[2].diagram()["nodes"] == clients[0].diagram()["nodes"], "two clients see two diagrams")


def mixed(clients):
    """50 calls in flight, of all kinds; a stale revision is refused and changes nothing."""
    client = clients[0]
    revision = client.diagram()["revision"]
    started = []
    for number in range(50):
        if number % 5 == 0:
            started.append(client.begin("add_resource", typeId=GROUP))
        elif number % 5 == 1:
            started.append(client.begin("list_resources", limit=5))
        elif number % 5 == 2:
            started.append(client.begin("validate_diagram"))
        elif number % 5 == 3:
            started.append(client.begin("estimate_costs"))
        else:
            started.append(client.begin("get_diagram"))
    for number in started:
        client.end(number)
    need(client.diagram()["revision"] == revision + 10, "writes were lost")
    need(clients[1].code_of("add_resource", typeId=GROUP, expectedRevision=revision) == "STALE_REVISION", "not refused")
    need(clients[1].diagram()["revision"] == revision + 10, "a refused write counted")


def random_edits(clients, each):
    """Random edits of all clients at once; then everything is undone."""
    start = clients[0].diagram()

    def edit(client, seed):
        chance = random.Random(seed)
        mine = []
        for _ in range(each):
            dice = chance.random()
            if dice < 0.5 or not mine:
                mine.append(client.add(GROUP if dice < 0.25 else PLAN, label=f"x {chance.random()}"))
            elif dice < 0.7:
                client.use("update_resource", instanceId=chance.choice(mine), properties={}, notes=str(chance.random()))
            elif dice < 0.85:
                client.use("move_resource", instanceId=chance.choice(mine),
                           position={"x": chance.randrange(3000), "y": chance.randrange(3000)})
            else:
                client.use("remove_resource", instanceId=mine.pop(chance.randrange(len(mine))))

    in_parallel([lambda client=client, n=n: edit(client, n) for n, client in enumerate(clients)])
    steps = clients[0].diagram()["revision"] - start["revision"]
    need(steps <= 200, f"{steps} changes are more than can be undone")
    while steps > 0:
        steps -= len(clients[1].use("undo_change", steps=min(50, steps))["undone"])
    back = clients[2].diagram()
    need(back["nodes"] == start["nodes"] and back["edges"] == start["edges"], "undoing all is not the start")


def bursts(clients, group):
    """Each follower hears once per 50 ms and URI, of the last change too; HCL only when its text is another."""
    uris = ["terrastudio://diagram/current", "studio://problems/current", "terrastudio://hcl/main.tf"]
    writer, reader = clients[:2]
    for uri in uris:
        need("result" in reader.ask("resources/subscribe", {"uri": uri}), uri)

    def heard(seconds):
        """How often of each URI, until that long after the last word."""
        reader.notes = []
        try:
            while True:
                reader.take(seconds)
        except TimeoutError:
            pass
        said = [note["params"]["uri"] for note in reader.notes if note["method"] == "notifications/resources/updated"]
        return [said.count(uri) for uri in uris]

    heard(0.5)
    begun = time.monotonic()
    for number in [writer.begin("update_resource", instanceId=group, properties={"name": f"rg-{n}"}) for n in range(40)]:
        writer.end(number)
    most = 2 + (time.monotonic() - begun) / 0.05
    counts = heard(0.6)
    need(all(1 <= count <= most for count in counts), f"{counts} notifications, at most {most:.1f} were expected")
    writer.use("update_resource", instanceId=group, properties={}, notes="said nowhere in the files")
    counts = heard(0.6)
    need(counts[:2] == [1, 1] and counts[2] == 0, f"{counts} after a note")


def names_of(link):
    """The tools that a client is told of, and what a call of one beyond the core says."""
    client = studio.Assistant(link)
    names = [tool["name"] for tool in client.ask("tools/list")["result"]["tools"]]
    answer = client.ask("tools/call", {"name": "list_changes", "arguments": {}})
    client.link.close()
    return names, answer


def core_tools(home):
    """The 17 tools of the brief, for whoever asks for no more; everybody else has all."""
    found = home.discovery()
    url, token = found["url"] + "/mcp/studio", found["token"]
    every, answered = names_of(links.Http(url, token))
    need(len(every) > 17 and "result" in answered, f"{every} {answered}")
    for link in (links.Stdio([daemon.TENON, "mcp", "studio", "--core"], env=home.env),
                 links.Http(url + "?tools=core", token)):
        core, answered = names_of(link)
        need(len(core) == 17 and core == [name for name in every if name in core] and "add_resource" in core and
             "execute_batch" not in core, f"{core}")
        need("result" in answered, f"what is not listed can be called (HO-010): {answered}")
    status, _, body = home.get("/mcp/studio?tools=all", token)
    need(b"core" not in body, f"all is understood: {status} {body}")
    status, _, body = home.get("/mcp/studio?tools=few", token)
    need(status == 400 and b"core or all" in body, f"{status} {body}")


def opened_at_once(clients, home):
    """Three open one folder that nobody has open: one reads it, and all have the same project."""
    path = os.path.join(home.folder, "shared")
    before = studio.bare(clients[0].diagram()["nodes"])
    clients[0].use("save_project")
    clients[0].use("close_project")
    started = [(client, client.begin("open_project", projectPath=path)) for client in clients for _ in range(3)]
    answers = [client.end(number) for client, number in started]
    need(len({answer["project"]["id"] for answer in answers}) == 1, answers)
    need(len(clients[0].use("list_projects")["open"]) == 1, clients[0].use("list_projects"))
    need(studio.bare(clients[0].diagram()["nodes"]) == before, "the same diagram")


def on_trial(clients, home):
    """What takes long is made on a fork of the project (SC-028): edits of others wait, none is lost, and what it names of
    other projects is found."""
    path = os.path.join(home.folder, "shared")
    source = "\n".join(f'resource "azurerm_resource_group" "g{i}" {{\n  name = "rg-{i}"\n  location = "westeurope"\n}}'
                       for i in range(300))
    before = len(clients[0].diagram()["nodes"])
    importing = clients[0].begin("import_terraform", source="config", files={"main.tf": source})
    adding = [client.begin("add_resource", typeId=GROUP) for client in clients[1:]]
    answer = clients[0].end(importing)
    for client, number in zip(clients[1:], adding):
        client.end(number)
    need(len(answer["mapped"]) == 300, answer["differenceCount"])
    nodes = clients[0].use("get_diagram", include=["layout"])["nodes"]
    need(len(nodes) == before + 302, "none is lost")
    mine = {one["instanceId"] for one in answer["mapped"]}
    need(not [pair for pair in overlaps(nodes) if mine & set(pair)], "what was imported has places of its own")
    group = answer["mapped"][0]["instanceId"]
    clients[0].use("new_project", name="other", directoryPath=home.folder)
    operations = [{"tool": "add_resource", "arguments": {"typeId": GROUP}}] * 199
    operations.append({"tool": "copy_resources", "arguments": {"fromProject": path, "instanceIds": [group]}})
    results = clients[0].use("execute_batch", operations=operations)["results"]
    need(len(results) == 200 and len(clients[0].diagram()["nodes"]) == 200, results[-1])
    # The project itself, by its id and by a path with a link in it, and one that is not open.
    own = next(one for one in clients[0].use("list_projects")["open"] if one["name"] == "other")
    mine = results[0]["instanceId"]
    link = os.path.join(home.folder, "a link")
    os.symlink(home.folder, link)
    for where in (own["id"], os.path.join(link, "other"), os.path.join(link, "shared")):
        taken = mine if "shared" not in where else group
        operations[-1] = {"tool": "copy_resources", "arguments": {"fromProject": where, "instanceIds": [taken]}}
        results = clients[0].use("execute_batch", operations=operations, dryRun=True)["results"]
        need(len(results[-1]["copies"]) == 1, results[-1])
    operations[-1]["arguments"]["fromProject"] = os.path.join(home.folder, "nowhere")
    need(clients[0].code_of("execute_batch", operations=operations) == "BATCH_FAILED", "it is not open")
    need(len(clients[0].diagram()["nodes"]) == 200, "all or none")
    reads = [{"tool": name, "arguments": {}} for name in ("get_diagram", "validate_diagram", "estimate_costs", "list_resources",
                                                          "get_project_config")]
    edits = [{"tool": "add_resource", "as": "it", "arguments": {"typeId": GROUP}},
             {"tool": "copy_resources", "arguments": {"instanceIds": ["$it.instanceId"]}},
             {"tool": "layout_diagram", "arguments": {}}]
    answer = clients[0].use("execute_batch", operations=(reads + edits) * 20)
    need(len(answer["results"]) == 160 and len(answer["results"][0]["nodes"]) == 200, "reads see what was before them")
    need(len(answer["results"][152]["nodes"]) == 238, len(answer["results"][152]["nodes"]))
    clients[0].use("close_project", discard=True)


def groups(count, name="g"):
    return "\n".join(f'resource "azurerm_resource_group" "{name}{i}" {{\n  name = "rg-{name}{i}"\n  location = "westeurope"\n}}'
                     for i in range(count))


def same_id(clients, home):
    """A copied folder has the id of the first: what is begun in one ends in that one."""
    one = clients[0].use("new_project", name="one", directoryPath=home.folder)["project"]["path"]
    clients[0].use("save_project")
    clients[0].use("close_project")
    two = one + "-copy"
    shutil.copytree(one, two, ignore=shutil.ignore_patterns(".tenon"))
    for path in (one, two):
        clients[0].use("open_project", projectPath=path)
    number = clients[0].begin("import_terraform", source="config", project=two, files={"main.tf": groups(600)})
    clients[1].use("open_project", projectPath=one)
    clients[0].end(number)
    counts = {path: len(clients[0].use("get_diagram", project=path)["nodes"]) for path in (one, two)}
    need(counts == {one: 0, two: 600}, counts)
    taken = clients[0].use("get_diagram", project=two)["nodes"][0]["id"]
    clients[0].use("copy_resources", project=one, fromProject=two, instanceIds=[taken])
    for path in (one, two):
        clients[0].use("close_project", project=path, discard=True)


def expected(clients, home):
    """What was expected of the revision is expected, too, when an edit is made anew (ST-061)."""
    path = clients[0].use("new_project", name="stale", directoryPath=home.folder)["project"]["path"]
    clients[0].add(GROUP, label="first")
    clients[0].use("save_project")
    revision = clients[0].diagram()["revision"]
    number = clients[0].begin("import_terraform", source="config", expectedRevision=revision, files={"main.tf": groups(2500)})
    file = os.path.join(path, "diagram.json")
    with open(file, encoding="utf-8") as text:
        changed = text.read().replace('"first"', '"changed"')
    with open(file, "w", encoding="utf-8") as text:
        text.write(changed)
    try:
        answer = clients[0].end(number)
        need(answer["revision"] == revision + 1, f"it came before the file: {answer['revision']}")
    except studio.Fault as fault:
        need(fault.code == "STALE_REVISION", fault)
    clients[0].use("close_project", discard=True)


def stopped():
    """A daemon that ends while workers import and open ends well (a sanitizer looks on): what is read is there until the
    worker is done, also when nobody waits for it any more."""
    for what in ("import", "open"):
        with daemon.Home() as home:
            child = home.foreground(stdout=subprocess.DEVNULL)
            client = join(home)
            path = client.use("new_project", name="one", directoryPath=home.folder)["project"]["path"]
            for name in ("a", "b"):
                client.use("import_terraform", source="config", files={"main.tf": groups(3500, name)})
            if what == "import":
                client.begin("import_terraform", source="config", files={"main.tf": groups(2900, "c")})
            else:
                client.use("save_project")
                client.use("close_project")
                client.begin("open_project", projectPath=path)
            time.sleep(0.05)
            client.link.process.kill()
            time.sleep(0.1) # the daemon has seen that nobody waits, and the worker is still at it
            child.terminate()
            need(child.wait(60) == 0, f"{what}: exit {child.returncode}")


def main():
    with daemon.Home() as home:
        home.tenon("up")
        clients = [join(home) for _ in range(3)]
        clients[0].use("new_project", name="shared", directoryPath=home.folder)
        group = clients[0].add(GROUP)
        with Step("studio-together", "ST-001 60 adds from three clients"):
            adds_at_once(clients, group)
        with Step("studio-together", "studio.md 9: the core tools for small contexts"):
            core_tools(home)
        with Step("studio-together", "50 calls in flight"):
            mixed(clients)
        with Step("studio-together", "ST-122 bursts are told once"):
            bursts(clients, group)
        with Step("studio-together", "ST-155 random edits, all undone"):
            random_edits(clients, 50)
        with Step("studio-together", "FR-17 one folder is opened by three at once"):
            opened_at_once(clients, home)
        with Step("studio-together", "SC-028 an import and a batch on a fork"):
            on_trial(clients, home)
        with Step("studio-together", "FR-17 two folders with one id"):
            same_id(clients, home)
        with Step("studio-together", "ST-061 a revision that is expected of a long edit"):
            expected(clients, home)
        for client in clients:
            client.link.close()
        home.tenon("down")
    with Step("studio-together", "the daemon ends while workers are at it"):
        stopped()
    return 1 if check.failures else 0


sys.exit(main())
