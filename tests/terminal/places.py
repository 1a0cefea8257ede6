"""places.py - one assistant over any way in, for bound.py: a daemon or a server of its own, with a policy,
in a folder that is not where the daemon stands.

    with Place("relay", policy) as place:
        with place.client() as client:          # another conversation each time
            client.run("pwd")
"""
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import daemon  # noqa: E402
import links  # noqa: E402

WAYS = ("stdio", "relay", "http", "ws")
REVISION = "2025-11-25"
PATIENCE_S = 60
NUMBERS = itertools.count()


class Refused(Exception):
    def __init__(self, code, content):
        super().__init__(f"{code}: {str(content)[:500]}")
        self.code, self.content = code, content


class Client:
    """A conversation. `asked` has every question that came; `decide` answers them."""

    def __init__(self, link, elicits=True):
        self.link, self.count, self.answers, self.asked = link, 0, {}, []
        self.decide = lambda message: "Refuse"
        self.ask("initialize", protocolVersion=REVISION, capabilities={"elicitation": {}} if elicits else {},
                 clientInfo={"name": f"bound-{next(NUMBERS)}", "version": "1"})
        if isinstance(link, links.Http):
            link.revision = REVISION
        self.link.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, method, **params):
        self.count += 1
        self.link.send({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params})
        return self.count

    def finish(self, number):
        deadline = time.monotonic() + PATIENCE_S
        while number not in self.answers:
            message = self.link.receive(max(0.1, deadline - time.monotonic()))
            if "method" in message and "id" in message:
                self.asked.append(message["params"]["message"])
                choice = self.decide(message["params"]["message"])
                self.link.send({"jsonrpc": "2.0", "id": message["id"],
                                "result": {"action": "accept", "content": {"decision": choice}}})
            elif "id" in message:
                self.answers[message["id"]] = message
        return self.answers.pop(number)

    def ask(self, method, **params):
        return self.finish(self.send(method, **params))

    def use(self, tool, **arguments):
        answer = self.ask("tools/call", name=tool, arguments=arguments)
        result = answer.get("result")
        if not result:
            raise Refused("rpc", answer)
        content = result.get("structuredContent", {})
        if result.get("isError"):
            error = content.get("error")
            raise Refused(error.get("code") if isinstance(error, dict) else error, content or result)
        return content

    def run(self, command, **more):
        return self.use("execute_command", command=command, **more)

    def refused(self, tool, **arguments):
        """Its code, or None: it was done."""
        try:
            self.use(tool, **arguments)
        except Refused as refused:
            return refused.code
        return None

    def once(self):
        self.decide = lambda message: "Run once"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.link.close()
        return False


class Place:
    def __init__(self, way, policy, settings=None):
        self.way = way
        self.home = daemon.Home(SHELL="/bin/bash", TENON_HTTP_PORT=str(21000 + (os.getpid() * 7 + next(NUMBERS)) % 20000))
        self.root = os.path.realpath(tempfile.mkdtemp(prefix="tenon-bound-"))
        os.makedirs(self.home.path("config", "tenon"), exist_ok=True)
        self.policy = self.home.path("config", "tenon", "policy.json")
        self.write_policy(policy)
        settings = {"terminal": {"rate_per_minute": 100000, **(settings or {})}}
        with open(self.home.path("config", "tenon", "config.json"), "w", encoding="utf-8") as file:
            json.dump(settings, file)
        self.here = os.getcwd()
        if way != "stdio":
            os.chdir("/")
            self.home.tenon("up")
            os.chdir(self.here)

    def write_policy(self, policy):
        with open(self.policy, "w", encoding="utf-8") as file:
            json.dump(policy, file)

    def folder(self, *parts):
        path = os.path.join(self.root, *parts)
        os.makedirs(path, exist_ok=True)
        return path

    def link(self, cwd):
        os.chdir(cwd)
        try:
            if self.way == "stdio":
                return links.Stdio([daemon.TENON, "serve", "terminal", "--policy", self.policy], self.home.env)
            if self.way == "relay":
                return links.Stdio([daemon.TENON, "mcp", "terminal"], self.home.env)
        finally:
            os.chdir(self.here)
        found = self.home.discovery()
        url = found["url"].rstrip("/")
        token = self.home.tenon("token").stdout.strip()
        if self.way == "http":
            return links.Http(url + "/mcp/terminal", token)
        return links.WebSocket(url.replace("http", "ws") + "/ws/terminal", token)

    def client(self, cwd=None, elicits=True):
        return Client(self.link(cwd or self.root), elicits)

    def start_of(self, cwd):
        """Where a session starts that nobody has said anything about."""
        return cwd if self.way in ("stdio", "relay") else os.path.realpath(self.home.folder)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if self.way != "stdio":
            self.home.tenon("down", code=None)
        self.home.__exit__(kind, value, trace)
        shutil.rmtree(self.root, ignore_errors=True)
        return False


def directory_in(question):
    return re.search(r"^directory: (.*)$", question, re.M).group(1)


def call(home, cwd, *words, code=0):
    """`tenon call terminal.execute_command ...` as a script in `cwd` has it."""
    done = subprocess.run([daemon.TENON, "call", "terminal.execute_command", *words, "--json"], env=home.env, cwd=cwd,
                          capture_output=True, encoding="utf-8", timeout=60, check=False, stdin=subprocess.DEVNULL)
    check.need(done.returncode == code, f"exit {done.returncode}: {done.stdout[-300:]} {done.stderr[-300:]}")
    return json.loads(done.stdout)
