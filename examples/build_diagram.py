#!/usr/bin/env python3
"""build_diagram.py - builds a studio diagram from a JSON specification, over HTTP. Python's own library only.

    tenon up
    examples/build_diagram.py examples/three-tier.json /tmp

Makes the project NAME of the specification in the folder, or opens it when it is there, does all operations as one
change, sets a new random value for each of its secrets, and prints what it costs. The daemon's address and token are
asked of `tenon status` and `tenon token`; TENON_URL and TENON_TOKEN win over them.
"""
import json
import os
import secrets
import subprocess
import sys
import urllib.request

TENON = os.environ.get("TENON", "tenon")


def say(*words):
    return subprocess.run([TENON, *words], check=True, capture_output=True, text=True).stdout.strip()


class Studio:
    """One endpoint, one request after the other: the 2026-07-28 revision needs no session."""

    def __init__(self, url, token):
        self.url, self.token, self.number = f"{url}/mcp/studio", token, 0

    def call(self, tool, **arguments):
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": "tools/call", "params": {
            "name": tool, "arguments": arguments,
            "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                      "io.modelcontextprotocol/clientInfo": {"name": "build_diagram", "version": "1"},
                      "io.modelcontextprotocol/clientCapabilities": {}}}}
        request = urllib.request.Request(self.url, json.dumps(message).encode(), {
            "Authorization": f"Bearer {self.token}", "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28",
            "Mcp-Method": "tools/call", "Mcp-Name": tool})
        with urllib.request.urlopen(request) as answer:
            text = answer.read().decode()
        if text.startswith(("event:", "data:", ":", "id:")):
            text = [line[5:] for line in text.splitlines() if line.startswith("data:")][-1]
        result = json.loads(text)
        if "error" in result:
            raise SystemExit(f"{tool}: {result['error']['message']}")
        content = result["result"].get("structuredContent", {})
        if result["result"].get("isError"):
            raise SystemExit(f"{tool}: {content.get('error')}: {content.get('message')}")
        return content


def new_secret():
    """A value that nobody needs to see: it goes to the project's secret store. With all four kinds of letters."""
    return secrets.token_urlsafe(24) + "aA1-"


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        specification = json.load(file)
    folder = os.path.abspath(sys.argv[2])
    url = os.environ.get("TENON_URL") or json.loads(say("status", "--json"))["url"]
    studio = Studio(url, os.environ.get("TENON_TOKEN") or say("token"))
    path = os.path.join(folder, specification["name"])
    if os.path.exists(os.path.join(path, "studio.json")):
        studio.call("open_project", projectPath=path)
    else:
        studio.call("new_project", name=specification["name"], directoryPath=folder,
                    config=specification.get("config", {}))
    done = studio.call("execute_batch", operations=specification["operations"], label="From a specification")
    names = [operation.get("as") for operation in specification["operations"]]
    for name, properties in specification.get("secrets", {}).items():
        studio.call("update_resource", instanceId=done["results"][names.index(name)]["instanceId"],
                    properties={key: new_secret() for key in properties})
    total = studio.call("estimate_costs")["total"]
    studio.call("save_project")
    print(f"{len(done['results'])} operations, revision {done['revision']}, {path}")
    print(f"about {total['monthly']} {total['currency']} a month" + ("" if total["complete"] else ", not all priced"))


main()
