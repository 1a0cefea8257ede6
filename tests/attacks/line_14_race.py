#!/usr/bin/env python3
"""line_14_race.py [SECONDS] - whatever is exchanged for a link while a daemon works, nothing outside of the allowed
folders is read or written.

Another process exchanges a folder and a link to the outside for each other (RENAME_EXCHANGE) as fast as it can, while
each tool that takes a path is called. What was accepted must have been inside. Once with openat2, once as if the kernel
had none. Each tool must also have been let in some of the time, or nothing was tried.
"""
import ctypes
import json
import os
import random
import signal
import sys
import time

import line
import check
import daemon
import links
import studio

SUITE = line.SUITE
LIBC = ctypes.CDLL(None, use_errno=True)
AT_FDCWD, EXCHANGE = -100, 2
PLAN = 'floorplan "%s" { floor g { room A { size: (3000, 3000) } } }'
TERRAFORM = 'resource "terraform_data" "%s" {\n  input = 1\n}\n'
TEXT_PLAN = """Terraform will perform the following actions:

  # null_resource.%s will be created
  + resource "null_resource" "%s" {
      + id = (known after apply)
    }

Plan: 1 to add, 0 to change, 0 to destroy.
"""


def exchange(one, other):
    return LIBC.renameat2(AT_FDCWD, one.encode(), AT_FDCWD, other.encode(), EXCHANGE)


class Exchanging:
    """`with Exchanging(folder, link)`: they change places all the time, by a process of its own."""

    def __init__(self, one, other):
        check.need(exchange(one, other) == 0 and exchange(one, other) == 0, "this file system cannot exchange names")
        self.paths = one.encode(), other.encode()

    def __enter__(self):
        self.pid = os.fork()
        if self.pid == 0:
            while True:
                # What takes many steps gets through in a pause; without any, nothing would be let in.
                for _ in range(2000):
                    LIBC.renameat2(AT_FDCWD, self.paths[0], AT_FDCWD, self.paths[1], EXCHANGE)
                time.sleep(random.choice((0.001, 0.02)))
        return self

    def __exit__(self, *_):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        if os.path.islink(self.paths[0]): # killed in the middle: each has its own place again
            LIBC.renameat2(AT_FDCWD, self.paths[0], AT_FDCWD, self.paths[1], EXCHANGE)
        return False


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def tree(folder):
    """Every file and folder below, with its content."""
    found = {}
    for place, folders, files in os.walk(folder):
        for name in folders:
            found[os.path.join(place, name)] = None
        for name in files:
            with open(os.path.join(place, name), "rb") as file:
                found[os.path.join(place, name)] = file.read()
    return found


class Place:
    """A daemon whose apps may work in `root`, and `outside` beside it."""

    def __init__(self, seconds, **environment):
        self.home = daemon.Home(**environment)
        self.seconds = seconds
        self.base = os.path.realpath(self.home.folder)
        self.root, self.outside = os.path.join(self.base, "root"), os.path.join(self.base, "root-outside")
        os.mkdir(self.root)
        os.mkdir(self.outside)
        self.home.env |= {"TENON_FLOORPLAN_ROOTS": self.root, "TENON_STUDIO_ROOTS": self.root,
                          "TENON_PLAN_PATHS": self.root, "TENON_CONSENT": "allow"}
        self.child = self.home.foreground()
        self.links = []
        self.floorplan, self.studio, self.plan = (self.client(app) for app in ("floorplan", "studio", "plan"))
        self.count = 0

    def client(self, app):
        link = links.Stdio([daemon.TENON, "mcp", app], env=self.home.env)
        self.links.append(link)
        return studio.Assistant(link)

    def pair(self, above=None, name=None):
        """A folder and a link to a folder outside, both in the root: (folder, link, outside)."""
        self.count += 1
        above, name = above or self.root, name or f"d{self.count}"
        folder, link = os.path.join(above, name), os.path.join(above, f"link{self.count}")
        out = os.path.join(self.outside, f"o{self.count}")
        os.makedirs(folder, exist_ok=True)
        os.makedirs(out, exist_ok=True)
        os.symlink(out, link)
        return folder, link, out

    def race(self, pair, attempt):
        """(accepted, those of them that were outside). `attempt` returns None when it was refused."""
        accepted = escaped = tried = 0
        before = tree(pair[2])
        with Exchanging(*pair[:2]):
            until = time.monotonic() + self.seconds
            while time.monotonic() < until or (not accepted and time.monotonic() < until + 10):
                answer = attempt()
                tried += 1
                accepted += answer is not None
                escaped += answer == "outside"
        written = [path for path, text in tree(pair[2]).items() if before.get(path, b"?") != text]
        print(f"{tried} tried, {accepted} accepted, {escaped} of them outside, {len(written)} files written outside",
              file=sys.stderr)
        check.need(not escaped and not written, f"{escaped} of {accepted} outside; written: {written[:5]}")
        check.need(accepted > 0, f"none of {tried} was let in")
        check.need(self.child.poll() is None, "the daemon has ended")

    def close(self):
        for link in self.links:
            link.close()
        self.child.terminate()
        self.child.wait(30)
        self.home.__exit__(None, None, None)


def answer_of(client, tool, sees=None, **arguments):
    """None: refused. "outside": its text has been outside."""
    try:
        text = json.dumps(client.use(tool, **arguments))
    except studio.Fault:
        return None
    return "outside" if sees and sees in text else "inside"


def is_success(client, tool, sees=None, **arguments):
    """The same for floorplan, whose errors are results."""
    number = client.begin(tool, **arguments)
    result = client.finish(number).get("result", {})
    content = result.get("structuredContent", {})
    if result.get("isError") or not content.get("success"):
        return None
    return "outside" if sees and sees in json.dumps(content) else "inside"


def floorplans(place):
    with check.Step(SUITE, f"{place.name}: save_floorplan"):
        pair = place.pair()
        client = place.floorplan
        document = client.use("open_floorplan", dsl=PLAN % "inside")["document"]
        place.race(pair, lambda: is_success(client, "save_floorplan", document=document, overwrite=True,
                                            path=os.path.join(pair[0], "saved.floorplan")))
    with check.Step(SUITE, f"{place.name}: open_floorplan"):
        pair = place.pair()
        write(os.path.join(pair[0], "a.floorplan"), PLAN % "inside")
        write(os.path.join(pair[2], "a.floorplan"), PLAN % "outside")
        place.race(pair, lambda: is_success(client, "open_floorplan", sees="outside",
                                            path=os.path.join(os.path.basename(pair[0]), "a.floorplan")))


def plans(place):
    with check.Step(SUITE, f"{place.name}: plan_path"):
        pair = place.pair()
        for folder, name in ((pair[0], "inside"), (pair[2], "outside")):
            write(os.path.join(folder, "plan.txt"), TEXT_PLAN % (name, name))
        place.race(pair, lambda: answer_of(place.plan, "terraform_explain", sees="null_resource.outside",
                                           plan_path=os.path.join(pair[0], "plan.txt")))


def projects(place):
    client = place.studio
    made = client.use("new_project", name="shop", directoryPath=place.root)
    folder = os.path.join(place.root, "shop")
    check.need(made, "no project")
    client.add("azurerm/core/resource_group")
    client.use("save_project")
    with check.Step(SUITE, f"{place.name}: export_diagram"):
        pair = place.pair(folder, "docs")
        place.race(pair, lambda: answer_of(client, "export_diagram", format="csv", path="docs/x.csv", overwrite=True))
    with check.Step(SUITE, f"{place.name}: import_terraform"):
        pair = place.pair()
        for where, name in ((pair[0], "inside"), (pair[2], "outside")):
            write(os.path.join(where, "main.tf"), TERRAFORM % name)
        place.race(pair, lambda: answer_of(client, "import_terraform", sees="terraform_data.outside", source="config",
                                           path=pair[0], dryRun=True))
    with check.Step(SUITE, f"{place.name}: generate_hcl"):
        pair = place.pair(folder, "terraform")
        place.race(pair, lambda: answer_of(client, "generate_hcl", write=True, overwrite=True))
    with check.Step(SUITE, f"{place.name}: save_project, its own folder"):
        pair = place.pair(folder, ".tenon")
        place.race(pair, lambda: save(client))
    with check.Step(SUITE, f"{place.name}: save_project"):
        pair = place.pair(place.root, "shop")
        place.race(pair, lambda: save(client))
    with check.Step(SUITE, f"{place.name}: new_project"):
        pair = place.pair()
        number = iter(range(10 ** 9))
        place.race(pair, lambda: new(client, pair[0], f"p{next(number)}"))


def save(client):
    """Something to save, and the save. What other folders had in the way is no refusal of this one."""
    try:
        client.add("azurerm/core/resource_group")
    except studio.Fault:
        pass # as many as there may be
    return answer_of(client, "save_project", force=True)


def new(client, folder, name):
    if answer_of(client, "new_project", name=name, directoryPath=folder) is None:
        return None
    client.use("close_project", discard=True)
    return "inside"


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 0.8
    for name, environment in (("openat2", {}), ("walk", {"TENON_NO_OPENAT2": "1"})):
        place = Place(seconds, **environment)
        place.name = name
        try:
            for part in (floorplans, plans, projects):
                with check.Step(SUITE, f"{name}: {part.__name__}"):
                    part(place)
        finally:
            place.close()
    line.end()


main()
