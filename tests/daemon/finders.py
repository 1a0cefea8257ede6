#!/usr/bin/env python3
"""finders.py - what a conversation with all apps begins with, and the way to the rest (hosts.md HO-010, HO-011): a short
list, find_tools, and calls through call_tool and call_writing_tool that are calls of the tool they name: asked about,
approved, audited and refused as itself. (What the list costs in tokens: tests/hosts.)"""
import json
import os
import sys

for folder in ("../lib", "../terminal"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import check  # noqa: E402
import daemon  # noqa: E402
import links  # noqa: E402
from places import Client, Place  # noqa: E402

SUITE = "finders"
FINDERS = ["find_tools", "call_tool", "call_writing_tool"]
POLICY = {"rules": [{"action": "confirm", "app": "floorplan", "flags": {"destructive": True}}],
          "terminal": {"default": "allow", "rules": [{"id": "ask", "action": "confirm", "command": "rm"}]}}
# What somebody wants to do, in words of their own, and the tool for it.
WANTED = {"export the plan of the flat as DXF for CAD": "export_floorplan", "undo the last change of the diagram": "undo_change",
          "press ctrl-c, interrupt what runs": "signal", "what does this cost per month": "estimate_costs",
          "compare two terraform plans": "terraform_compare", "how large are the rooms, areas": "analyze_floorplan",
          "search the history of commands": "search_history", "delete a resource": "remove_resource",
          "import existing .tf files": "import_terraform", "let the user type a password": "hand_over",
          "what risks does the plan have": "terraform_risk", "move a node to another place": "move_resource",
          "is this command dangerous? check the policy": "check_command", "apply it with terraform": "run_terraform"}


def step(name):
    return check.Step(SUITE, name)


def names_of(client):
    return [tool["name"] for tool in client.ask("tools/list")["result"]["tools"]]


class Home(Place):
    """A daemon, and conversations with it by the relay or over HTTP."""

    def relay(self, *words):
        return Client(links.Stdio([daemon.TENON, "mcp", *words], self.home.env))

    def http(self, path=""):
        found = self.home.discovery()
        return Client(links.Http(found["url"].rstrip("/") + "/mcp" + path, self.home.tenon("token").stdout.strip()))


def lists(home):
    with step("the default list: at most 24, everyday tools first, and the finders"):
        with home.relay() as client:
            short = names_of(client)
            check.need(len(short) <= 24 and short[-3:] == FINDERS and short[0] == "execute_command", f"{short}")
        with home.http() as client:
            check.need(names_of(client) == short, "over HTTP it is another")
    with step("everything, for who asks for it: --all, ?tools=all; an app has all of its own, and no finder"):
        with home.relay("--all") as client, home.http("?tools=all") as other:
            every = names_of(client)
            check.need(every == names_of(other) and len(every) > 60 and not set(every) & set(FINDERS), f"{every}")
            check.need(set(short) - set(FINDERS) == set(every[:len(short) - 3]), "everyday tools do not come first")
        with home.relay("studio") as client, home.http("/studio") as other:
            own = names_of(client)
            check.need(own == names_of(other) and set(own) < set(every) and "undo_change" in own, f"{own}")
    with step("the default list has no output schema, whoever asks: no model is shown one; the others have them"):
        for client in (home.relay(), home.relay("--fit", "structured"), home.http()):
            with client:
                tools = client.ask("tools/list")["result"]["tools"]
                check.need(not any("outputSchema" in tool for tool in tools), f"{tools[0]}")
        for client in (home.relay("--all"), home.http("/studio")):
            with client:
                tools = client.ask("tools/list")["result"]["tools"]
                check.need(all("outputSchema" in tool for tool in tools), f"{tools[0]}")
    with step("every tool is callable by its own name on every connection, listed or not"):
        for client in (home.relay(), home.http(), home.relay("--core")):
            with client:
                for name in every:
                    answer = client.ask("tools/call", name=name, arguments={"no such argument": 1})
                    check.need("no such argument" in json.dumps(answer), f"{name}: {answer}")
    return every, short


def found(home, every, short):
    with home.relay() as client:
        with step("words find the tool, and its schema is the one of the list"):
            with home.relay("--all") as other:
                schemas = {tool["name"]: tool["inputSchema"] for tool in other.ask("tools/list")["result"]["tools"]}
            for words, name in WANTED.items():
                answer = client.use("find_tools", query=words)
                first = [tool["name"] for tool in answer["tools"]]
                check.need(name in first, f"{words}: {first}, then {answer['others']}")
                with_schema = [tool["name"] for tool in answer["tools"] if "input_schema" in tool]
                check.need(with_schema == first[:1] and len(answer["others"]) <= 8, f"{words}: {answer}")
                for tool in client.use("find_tools", query=words, limit=12)["tools"]:
                    check.need(tool.get("input_schema", schemas[tool["name"]]) == schemas[tool["name"]],
                               f"{tool['name']} has another schema")
        with step("its own name finds each tool"):
            for name in every:
                answer = client.use("find_tools", query=name)
                first = answer["tools"][0]["name"]
                check.need(first == name, f"{name}: {answer}")
        with step("no words: all names; strange ones: all names, too; an unknown app: those that there are"):
            check.need(set(client.use("find_tools")["others"]) == set(every), "without words")
            check.need(set(client.use("find_tools", query="\u2603 xyzzy")["others"]) == set(every), "strange words")
            own = client.use("find_tools", app="plan")["others"]
            check.need("terraform_score" in own and "undo_change" not in own, f"{own}")
            text = json.dumps(client.ask("tools/call", name="find_tools", arguments={"app": "cad"}))
            check.need("terminal, plan, studio, floorplan, workbench" in text and '"isError": true' in text, text)


def called(home):
    folder = home.folder("work")
    with home.relay() as client:
        with step("what only reads is called with call_tool; what writes is not"):
            check.need(client.use("call_tool", name="list_projects") == {"open": [], "recent": []}, "list_projects")
            for name in ("send_keys", "run_terraform", "undo_change", "execute_command", "close_session"):
                answer = client.ask("tools/call", name="call_tool", arguments={"name": name, "arguments": {}})
                check.need(answer["result"]["isError"] and "call_writing_tool" in json.dumps(answer), f"{answer}")
        with step("a writing tool is asked about as itself, and an approval is never the finder's"):
            session = client.use("call_writing_tool", name="create_session", arguments={"cwd": folder})["session"]["id"]

            def remove(name, tool="call_writing_tool"):
                arguments = {"command": f"rm -f {name}", "session_id": session}
                if tool == "call_writing_tool":
                    arguments = {"name": "execute_command", "arguments": arguments}
                return client.use(tool, **arguments)

            client.decide = lambda message: "Allow this exact command in this session"
            remove("one")
            check.need(len(client.asked) == 1 and "rm -f one" in client.asked[0] and "call_writing" not in client.asked[0],
                       f"{client.asked}")
            remove("one", "execute_command")
            check.need(len(client.asked) == 1, f"what was approved is asked about again: {client.asked}")
            remove("one")
            check.need(len(client.asked) == 1, f"what was approved is asked about again: {client.asked}")
            remove("two")
            check.need(len(client.asked) == 2 and "rm -f two" in client.asked[1], f"{client.asked}")
            client.decide = lambda message: "Refuse"
            code = client.refused("call_writing_tool", name="execute_command", arguments={"command": "rm -f three"})
            check.need(code == "CONSENT_DECLINED" and len(client.asked) == 3, f"{code} {client.asked}")
        with step("a finder calls no finder, nothing that is for persons, and nothing that is not there"):
            for name in FINDERS + ["approve", "set_policy", "no_such_tool", ""]:
                for finder in FINDERS[1:]:
                    answer = client.ask("tools/call", name=finder, arguments={"name": name})
                    check.need(answer["result"]["isError"], f"{finder} of {name}: {answer}")
    with step("the audit has the tool that ran"):
        client, uri = home.http("?tools=all"), "tenon://audit"
        with client:
            audit = json.loads(client.ask("resources/read", uri=uri)["result"]["contents"][0]["text"])
        done = {entry["tool"] for entry in audit["entries"] if entry["outcome"] == "ok"}
        check.need("execute_command" in done and not done & set(FINDERS[1:]), f"{done}")


FLAT = "floorplan\n  floor A {\n    room B at (0,0) size (4 x 4) walls [top: solid, right: solid, bottom: solid, left: solid]\n  }\n"
RENAME = [{"action": "rename_room", "target": "B", "params": {"newName": "Hall"}}]


def documents(home):
    """modify_floorplan only reads, unless the plan is a document that others have open."""
    with home.relay() as client:
        with step("modify_floorplan of a text is called with call_tool, and nobody is asked"):
            opened = client.use("call_tool", name="open_floorplan", arguments={"dsl": FLAT})["document"]
            client.decide = lambda message: "Refuse"
            client.use("call_tool", name="modify_floorplan", arguments={"dsl": FLAT, "operations": RENAME})
            check.need(not client.asked, f"{client.asked}")
        with step("modify_floorplan of a document is not; it is asked about and audited as what writes"):
            shared = {"document": opened, "operations": RENAME}
            answer = client.ask("tools/call", name="call_tool", arguments={"name": "modify_floorplan", "arguments": shared})
            check.need(answer["result"]["isError"] and "call_writing_tool" in json.dumps(answer), f"{answer}")
            for finder in (True, False):
                given = {"name": "modify_floorplan", "arguments": shared} if finder else shared
                code = client.refused("call_writing_tool" if finder else "modify_floorplan", **given)
                check.need(code == "CONSENT_DECLINED", f"{code}")
            check.need(len(client.asked) == 2 and all("modify_floorplan" in one for one in client.asked), f"{client.asked}")
            client.decide = lambda message: "Approve once"
            changed = client.use("call_writing_tool", name="modify_floorplan", arguments=shared)
            check.need("room Hall" in changed["dsl"], f"{changed}")
    with step("the audit has the calls with a document, and no other"):
        with home.http("?tools=all") as client:
            audit = json.loads(client.ask("resources/read", uri="tenon://audit")["result"]["contents"][0]["text"])
        found = [entry["outcome"] for entry in audit["entries"] if entry["tool"] == "modify_floorplan"]
        check.need(len(found) == 3 and found.count("ok") == 1, f"{found}")


def all_by_setting():
    with Home("http", POLICY, {}) as home:
        path = home.home.path("config", "tenon", "config.json")
        with open(path, encoding="utf-8") as file:
            settings = json.load(file)
        settings["mcp"] = {"tools": "all"}
        home.home.tenon("down")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(settings, file)
        home.home.tenon("up")
        with step("mcp.tools = all: every tool is listed, and no finder"), home.http() as client:
            every = names_of(client)
            check.need(len(every) > 60 and not set(every) & set(FINDERS), f"{every}")


def main():
    with Home("http", POLICY) as home:
        every, short = lists(home)
        found(home, every, short)
        called(home)
        documents(home)
    all_by_setting()
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
