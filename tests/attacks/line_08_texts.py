#!/usr/bin/env python3
"""line_08_texts.py - a NUL in any text, and ids that no peer can hold, through the relay and the real daemon.

What is cut at a NUL is checked as one thing and used as another: it is refused with the place it stands at, in every
tool of every app, in names, in addresses of resources and in arguments of prompts.
"""
import json
import os
import time

import line
import check
import daemon
import links
import studio

SUITE = line.SUITE
NUL = "x\0y"
# Bytes that are typed, and texts whose reader says where the NUL stands.
FREE = {"stdin", "text", "sequence", "dsl", "json", "plan_text", "plan_json", "other_plan_text"}
APPS = ("terminal", "plan", "floorplan", "studio", "workbench")


def places(schema, path=""):
    """Arguments of a schema that take text: name and a value with a NUL in it."""
    for name, rule in schema.get("properties", {}).items():
        kind = rule.get("type")
        if kind == "string" or (isinstance(kind, list) and "string" in kind):
            yield name, NUL, path + name
        elif kind == "array":
            yield name, [NUL], f"{path}{name}[0]"
        elif kind == "object":
            yield name, {"k": NUL}, f"{path}{name}.k"


def tools(home, app):
    link = links.Stdio([daemon.TENON, "mcp", app], env=home.env)
    client = studio.Assistant(link)
    tried = 0
    for tool in client.finish(client.start("tools/list"))["result"]["tools"]:
        for name, value, path in places(tool["inputSchema"]):
            if name in FREE:
                continue
            answer = client.finish(client.start("tools/call", {"name": tool["name"], "arguments": {name: value}}))
            text = json.dumps(answer)
            refused = "error" in answer or answer["result"].get("isError")
            check.need(refused and "NUL" in text and path in text, f"{tool['name']} {path}: {text[:300]}")
            tried += 1
    check.need(tried > 10, f"only {tried} arguments")
    for method, params in (("resources/read", {"uri": "terminal://x\0"}), ("tools/call", {"name": "a\0b"}),
                           ("prompts/get", {"name": "draw", "arguments": {"a": NUL}}),
                           ("tools/list", {"cursor": NUL})):
        if method == "prompts/get" and app == "workbench":  # it has none
            continue
        answer = client.finish(client.start(method, params))
        check.need(answer.get("error", {}).get("code") == -32602 and "NUL" in json.dumps(answer),
                   f"{method}: {json.dumps(answer)[:300]}")
    link.close()


def ids(home):
    link = links.Stdio([daemon.TENON, "mcp", "plan"], env=home.env)
    studio.Assistant(link)
    for number, is_good in (("1e400", False), ("-1e400", False), ("1.5", False), ("9007199254740993.0", False),
                            ("1.0", True), ("1e2", True), ("1" * 300, True), ("-0", True)):
        link.process.stdin.write(b'{"jsonrpc":"2.0","id":%s,"method":"ping"}\n' % number.encode())
        line = next_line(link)
        if is_good:
            check.need(f'"id":{number}' in line and '"result"' in line, f"{number}: {line[:200]}")
        else:
            check.need('"id"' not in line and "-32600" in line, f"{number}: {line[:200]}")
    link.close()


def next_line(link):
    """Raw: a JSON reader would change the id."""
    data, until = b"", time.monotonic() + 30
    while not data.endswith(b"\n") and time.monotonic() < until:
        data += os.read(link.process.stdout.fileno(), 65536)
    return data.decode()


def main():
    with daemon.Home(TENON_CONSENT="allow") as home:
        child = home.foreground()
        for app in APPS:
            with check.Step(SUITE, f"{app}: no text with a NUL comes through"):
                tools(home, app)
        with check.Step(SUITE, "ids that no peer holds are no ids"):
            ids(home)
        with check.Step(SUITE, "the daemon goes on"):
            check.need(child.poll() is None, "it has ended")
        child.terminate()
        child.wait(30)
    line.end()


main()
