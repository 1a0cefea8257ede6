#!/usr/bin/env python3
"""presence.py - who is here and what they look at (studio-canvas.md SC-017), and pointing (SC-018): two pages of persons
and an assistant, against a real daemon."""
import glob
import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import daemon  # noqa: E402
import links  # noqa: E402
import person  # noqa: E402
import studio  # noqa: E402
from check import Step, need  # noqa: E402
import check  # noqa: E402

GROUP, PLAN = "azurerm/core/resource_group", "azurerm/compute/app_service_plan"


class Page(studio.Assistant):
    """A page as the browser has it: /ws, with a person's token."""

    def __init__(self, home, token):
        found = home.discovery()
        super().__init__(links.WebSocket(f"ws://127.0.0.1:{found['httpPort']}/ws", token))

    tab = None

    def start(self, method, params=None, number=None):
        if self.tab:
            params = {**(params or {}), "_meta": {"tenon/tab": self.tab}}
        return super().start(method, params, number)

    def part(self, project):
        uri = f"studio://projects/{project}/presence"
        return json.loads(self.ask("resources/read", {"uri": uri})["result"]["contents"][0]["text"])

    def follow(self, project):
        need("result" in self.ask("resources/subscribe", {"uri": f"studio://projects/{project}/presence"}), "subscribe")

    def heard(self, seconds):
        self.notes = []
        try:
            while True:
                self.take(seconds)
        except TimeoutError:
            pass
        return [note for note in self.notes if note["method"] == "notifications/resources/updated" and
                note["params"]["uri"].endswith("/presence")]


def being_here(project, one, other, ada, nodes):
    state = ada.diagram()
    listed = len(ada.use("list_changes")["changes"])
    other.follow(project)
    other.heard(0.2)
    told = {"selection": [nodes[1]], "view": {"x": 0, "y": 0, "width": 5000, "height": 5000}, "held": [nodes[1]],
            "editing": {"instanceId": nodes[1], "property": "name"}, "pointer": {"x": 3, "y": 4.5}}
    one.use("set_presence", project=project, **told)
    need(len(other.heard(0.4)) == 1, "the other page is told")
    here = other.part(project)["actors"]
    need(len(here) == 1, f"{here}")
    mine = here[0]
    need({key: mine[key] for key in told} == told, f"{mine}")
    need(mine["actor"]["person"] is True and mine["via"] == "websocket" and mine["actor"]["colour"] in range(8) and
         mine["since"] <= mine["seenAt"], f"{mine}")
    need(one.part(project)["actors"][0]["via"] == "self", "one's own is told from the others'")
    one.use("set_presence", project=project, selection=[])
    need("held" not in other.part(project)["actors"][0], "what is not said any more is over")
    need(ada.diagram() == state and len(ada.use("list_changes")["changes"]) == listed, "it is no change")


def not_too_often(project, one, other, nodes):
    """At most 20 times a second, and the last of it always."""
    other.heard(0.3)
    begun = time.monotonic()
    for number in [one.begin("set_presence", project=project, pointer={"x": n, "y": 0}) for n in range(200)]:
        one.end(number)
    most = 2 + (time.monotonic() - begun + 0.4) * 20
    heard = len(other.heard(0.4))
    need(1 <= heard <= most, f"{heard} notifications, at most {most:.0f}")
    need(other.part(project)["actors"][0]["pointer"] == {"x": 199, "y": 0}, "the last one")


def selection(project, one, other, ada, nodes):
    one.use("set_presence", project=project, selection=[nodes[1], "gone"],
            view={"x": -10, "y": -10, "width": 5000, "height": 5000})
    other.use("set_presence", project=project, selection=[nodes[2]], view={"x": 90000, "y": 0, "width": 9, "height": 9})
    ada.use("set_presence", project=project, selection=[nodes[0]])
    found = ada.use("get_selection")["actors"]
    need([[entry["instanceId"] for entry in each["resources"]] for each in found] == [[nodes[2]], [nodes[1]]],
         f"persons, the latest first, what is there: {found}")
    need(found[0]["visible"] == [] and set(found[1]["visible"]) == set(nodes), f"{found}")
    need(found[0]["actor"]["person"] and found[0]["resources"][0]["label"], f"{found[0]}")
    text = ada.ask("tools/call", {"name": "get_selection", "arguments": {"project": project}})["result"]["content"][0]["text"]
    need(nodes[1] in text and nodes[2] in text, f"the text alone has the ids: {text}")
    guide = ada.ask("resources/read", {"uri": "studio://guide"})["result"]["contents"][0]["text"]
    need("get_selection" in guide and '"this"' in guide.lower(), "the guide says what this means")
    ada.use("set_presence", project=project)


def pointing(home, project, one, other, ada, nodes):
    one.follow(project)
    one.heard(0.3)
    answer = ada.use("show_on_canvas", instanceIds=[nodes[1]], message="<b>look</b> here")
    need(answer == {"pages": 2, "shown": [nodes[1]]}, f"{answer}")
    need(len(one.heard(0.4)) == 1, "pages are told")
    shown = one.part(project)["shown"]
    need(len(shown) == 1 and shown[0]["instanceIds"] == [nodes[1]] and shown[0]["message"] == "<b>look</b> here" and
         shown[0]["actor"]["name"] and not shown[0]["actor"]["person"], f"{shown}")
    need(ada.code_of("show_on_canvas", instanceIds=["nobody"]) == "NOT_FOUND", "nobody")
    need(ada.code_of("show_on_canvas", instanceIds=[nodes[1]], message="x" * 281) == "INVALID_INPUT", "281")
    for n in range(40):
        ada.use("show_on_canvas", instanceIds=[nodes[n % 2]], message=str(n))
    need(len(one.part(project)["shown"]) <= 16, "marks without end")
    daemon.wait_until(lambda: not one.part(project)["shown"], "marks go after 10 s", 15)


def going(project, one, other, home, token):
    guest = Page(home, token)
    guest.use("set_presence", project=project, selection=[])
    count = len(other.part(project)["actors"])
    other.heard(0.2)
    guest.link.close()
    daemon.wait_until(lambda: len(other.part(project)["actors"]) == count - 1, "gone with its connection", 3)
    guest = Page(home, token)
    guest.use("set_presence", project=project, selection=["x"])
    guest.link.hang_up()  # without a word
    daemon.wait_until(lambda: len(other.part(project)["actors"]) == count - 1, "gone with its connection", 3)


def bad_input(project, one):
    for bad in ({"selection": ["x"] * 1001}, {"view": {"x": 0, "y": 0}}, {"pointer": {"x": "a", "y": 0}},
                {"pointer": {"x": 1e300, "y": 0}}, {"editing": {}}, {"who": "me"}):
        need(one.code_of("set_presence", project=project, **bad) == "INVALID_INPUT", f"{bad}")
    need(one.code_of("set_presence", project="none") == "PROJECT_NOT_FOUND", "no such project")


def same_tab(home, project, token, ada):
    """SC-020: a page is who it was when its connection comes back; another tab is somebody else, and nobody else can be it."""
    def comes(tab, who=token):
        page = Page(home, who)
        page.tab = tab
        return page
    first = comes("0123456789abcdef0123")
    group = first.use("add_resource", typeId=GROUP, project=project, label="of a tab")
    first.use("set_presence", project=project)
    first.link.close()
    again, other = comes("0123456789abcdef0123"), comes("ffffffffffffffffffff")
    need(other.code_of("undo_change", project=project, scope="mine") == "NOTHING_TO_UNDO", "another tab's change was undone")
    assistant = comes("0123456789abcdef0123", home.discovery()["token"])
    assistant.use("add_resource", typeId=GROUP, project=project)
    actor = ada.use("list_changes", project=project, limit=1)["changes"][0]["actor"]
    need(not actor["person"] and "0123456789abcdef0123" not in actor["id"], f"an assistant was taken for the page: {actor}")
    again.use("set_presence", project=project)
    half = comes("0123456789abcdef0123")  # before anybody saw that its other connection is gone
    half.use("set_presence", project=project)
    ids = [one["actor"]["id"] for one in other.part(project)["actors"]]
    need(len(ids) == len(set(ids)), f"one who came back is here twice: {ids}")
    undone = again.use("undo_change", project=project, scope="mine")["undone"]
    need([one["changeId"] for one in undone] == [group["changeId"]], f"{undone}")
    changes = ada.use("list_changes", project=project)["changes"]
    done, undo = [one for one in changes if one["changeId"] == group["changeId"]][0], changes[-1]
    need(done["actor"] == undo["actor"] and undo["actor"]["person"] and undo["actor"]["id"].endswith("/0123456789abcdef0123"), f"{done} {undo}")
    for tab in ("UPPER", "x" * 25, "../../etc/pa", "0123456789abcdef 012", "", 7, None):
        odd = comes(tab)
        odd.use("add_resource", typeId=GROUP, project=project)
        actor = ada.use("list_changes", project=project, limit=1)["changes"][0]["actor"]
        need(actor["person"] and (not tab or str(tab) not in actor["id"].split("/")), f"{tab}: {actor}")
        odd.use("undo_change", project=project, scope="mine")
        odd.link.close()
    for page in (again, half, other, assistant):
        page.link.close()


def nowhere_written(home, path, canary):
    """Neither in the project, nor in the daemon's files."""
    for root in (path, home.folder):
        for name in glob.glob(root + "/**", recursive=True, include_hidden=True):
            if os.path.isfile(name):
                with open(name, "rb") as file:
                    need(canary.encode() not in file.read(), f"{name} has what was selected")


def main():
    with daemon.Home() as home:
        home.tenon("up")
        token = person.do("ask", path=home.runtime("person.sock"))["token"]
        one, other = Page(home, token), Page(home, token)
        ada = studio.Assistant(links.Stdio([daemon.TENON, "mcp", "studio"], env=home.env))
        opened = ada.use("new_project", name="shared", directoryPath=home.folder)["project"]
        project = opened["id"]
        group = ada.add(GROUP)
        nodes = [group, ada.add(PLAN, group), ada.add(PLAN, group)]
        quiet = Page(home, token)  # says one word, and then no more
        with Step("studio-presence", "SC-017 told to the others, and no change"):
            being_here(project, one, other, ada, nodes)
        with Step("studio-presence", "SC-017 at most 20 times a second"):
            not_too_often(project, one, other, nodes)
        with Step("studio-presence", "SC-017 get_selection"):
            selection(project, one, other, ada, nodes)
        with Step("studio-presence", "SC-018 show_on_canvas"):
            pointing(home, project, one, other, ada, nodes)
            quiet.use("set_presence", project=project)
            quiet.said = time.monotonic()
        with Step("studio-presence", "SC-017 bad input"):
            bad_input(project, one)
        with Step("studio-presence", "SC-017 gone with its connection"):
            going(project, one, other, home, token)
        with Step("studio-presence", "SC-017 gone 30 s after the last word"):
            need(len(other.part(project)["actors"]) > 0, "gone too early")
            daemon.wait_until(lambda: not other.part(project)["actors"], "gone by itself", 40)
            need(time.monotonic() - quiet.said > 29, "too early")
        with Step("studio-presence", "SC-020 a tab is one actor"):
            same_tab(home, project, token, ada)
        with Step("studio-presence", "SC-017 written nowhere"):
            one.use("set_presence", project=project, selection=["canary-4711-selected"])
            ada.use("save_project")
            nowhere_written(home, opened["path"], "canary-4711-selected")
        for client in (one, other, quiet, ada):
            client.link.close()
        home.tenon("down")
    return 1 if check.failures else 0


sys.exit(main())
