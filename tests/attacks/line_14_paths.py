#!/usr/bin/env python3
"""line_14_paths.py - paths that lead outside, without a race: every tool that reads or writes one, every way to write it
(CVE-2025-53109, CVE-2025-53110). The race: line_14_race.py; the module by itself: src/store/beneath_test.c."""
import os

import line
import check
import daemon
import studio

PLAN = 'floorplan "%s" { floor g { room A { size: (3000, 3000) } } }'
TEXT = "Terraform will perform the following actions:\n\n  # null_resource.%s will be created\n" \
       "  + resource \"null_resource\" \"%s\" {\n    }\n\nPlan: 1 to add, 0 to change, 0 to destroy.\n"
FILES = {"a.floorplan": PLAN, "plan.txt": None, "main.tf": 'resource "terraform_data" "%s" {\n}\n'}


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def fill(folder, name):
    for file, text in FILES.items():
        write(os.path.join(folder, file), text % name if text else TEXT % (name, name))


def ways(root, outside, file):
    """Name -> a path that means `file` of the outside."""
    prefix = os.path.basename(outside)
    links = {"a link to the folder": (os.path.join(root, "l1"), outside),
             "a link to the file": (os.path.join(root, "l2-" + file), os.path.join(outside, file)),
             "a relative link": (os.path.join(root, "l3"), "../" + prefix),
             "a link to a link": (os.path.join(root, "l4"), os.path.join(root, "l1")),
             "a link to the descriptors": (os.path.join(root, "l5"), "/proc/self/cwd"),
             "a link to the root": (os.path.join(root, "l6"), "/")}
    for path, target in links.values():
        if not os.path.islink(path):
            os.symlink(target, path)
    inside = os.path.basename(root)
    return {"..": f"{root}/../{prefix}/{file}", "many ..": f"{root}/{'../' * 40}{outside[1:]}/{file}",
            "a prefix sibling": f"{outside}/{file}", "relative ..": f"../{prefix}/{file}",
            ".. behind a folder": f"{root}/inside/../../{prefix}/{file}", "double slashes": f"{root}//..//{prefix}//{file}",
            "dots": f"{root}/./inside/./.././../{prefix}/./{file}", "letters of another case": f"{root.upper()}/../{prefix}/{file}",
            "/proc/self/root": f"/proc/self/root{outside}/{file}", "/proc/self/cwd": f"/proc/self/cwd{outside}/{file}",
            "/proc/self/fd": f"/proc/self/fd/3/../{prefix}/{file}", "/proc/thread-self": f"/proc/thread-self/root{outside}/{file}",
            "a file URL": f"file://{outside}/{file}", "a home sign": f"~/{inside}/../{prefix}/{file}",
            "a variable": f"$HOME/{prefix}/{file}", "backslashes": f"{root}\\..\\{prefix}\\{file}",
            "percent signs": f"{root}/%2e%2e/{prefix}/{file}", "a folder link": f"{root}/l1/{file}",
            "a file link": f"{root}/l2-{file}", "a relative link": f"{root}/l3/{file}", "two links": f"{root}/l4/{file}",
            "a link to the descriptors": f"{root}/l5{outside}/{file}", "a link to the root": f"{root}/l6{outside}/{file}",
            "a device": "/dev/stdin", "the environment": "/proc/self/environ", "another process": "/proc/1/environ"}


def main():
    with daemon.Home() as home:
        root, outside = home.path("root"), home.path("root-outside")
        fill(os.path.join(root, "inside"), "inside")
        fill(outside, "outside")
        home.env |= {"TENON_FLOORPLAN_ROOTS": root, "TENON_STUDIO_ROOTS": root, "TENON_PLAN_PATHS": root,
                     "TENON_CONSENT": "allow"}
        home.foreground()
        before = {name: os.stat(os.path.join(outside, name)).st_mtime_ns for name in os.listdir(outside)}
        readers = (("floorplan", "open_floorplan", "path", "a.floorplan", {}),
                   ("plan", "terraform_explain", "plan_path", "plan.txt", {}),
                   ("plan", "terraform_parse", "plan_path", "plan.txt", {}),
                   ("studio", "import_terraform", "path", "main.tf", {"source": "config", "dryRun": True}),
                   ("studio", "open_project", "projectPath", "main.tf", {}))
        for app, tool, argument, file, more in readers:
            with line.relay(home, app) as client:
                if tool == "import_terraform":
                    client.use("new_project", name="shop", directoryPath=root)
                for name, path in ways(root, outside, file).items():
                    with line.step(f"{tool}: {name}"):
                        number = client.start("tools/call", {"name": tool, "arguments": {argument: path, **more}})
                        text = str(client.finish(number))
                        check.need("outside\"" not in text and "null_resource.outside" not in text and
                                   "terraform_data.outside" not in text and "PATH=" not in text and
                                   "'name': 'outside'" not in text, text[:400])
        with line.relay(home, "floorplan") as client:
            document = client.use("open_floorplan", dsl=PLAN % "mine")["document"]
            for name, path in ways(root, outside, "a.floorplan").items():
                with line.step(f"save_floorplan: {name}"):
                    for target in (path, path + ".new"):
                        number = client.start("tools/call", {"name": "save_floorplan", "arguments": {
                            "document": document, "path": target, "overwrite": True}})
                        client.finish(number)
            with line.step("save_floorplan: a hard link keeps its other name's content"):
                os.link(os.path.join(outside, "a.floorplan"), os.path.join(root, "hard.floorplan"))
                client.finish(client.start("tools/call", {"name": "save_floorplan", "arguments": {
                    "document": document, "path": os.path.join(root, "hard.floorplan"), "overwrite": True}}))
        with line.relay(home, "studio") as client:
            client.use("open_project", projectPath=os.path.join(root, "shop"))
            for name, path in ways(root, outside, "x.csv").items():
                with line.step(f"export_diagram and new_project: {name}"):
                    client.code_of("export_diagram", format="csv", path=path, overwrite=True)
                    client.code_of("new_project", name="n", directoryPath=os.path.dirname(path))
                    client.code_of("open_project", projectPath=os.path.join(root, "shop"))
        with line.step("nothing outside was written, changed or removed"):
            now = {name: os.stat(os.path.join(outside, name)).st_mtime_ns for name in os.listdir(outside)}
            check.need(now == before, f"{set(now.items()) ^ set(before.items())}")
            check.need(open(os.path.join(outside, "a.floorplan"), encoding="ascii").read() == PLAN % "outside", "its text")
        with line.step("what is inside is let in (control)"), line.relay(home, "plan") as client:
            text = str(client.use("terraform_parse", plan_path=os.path.join(root, "inside", "plan.txt")))
            check.need("null_resource.inside" in text, text[:300])
        home.stop()
    line.end()


main()
