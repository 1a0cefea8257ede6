#!/usr/bin/env python3
"""terminal_history.py TENON - search_history, terminal://history and "tenon terminal history" on a
real "tenon serve terminal"; secrets that were typed, printed and exported are in none of its files.
terminal.md 7.6, 8, 9, 13.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402

SUITE = "terminal-history"
TENON = sys.argv[1]
FOLDER = tempfile.mkdtemp()
STATE = os.path.join(FOLDER, "state")
ENV = {name: value for name, value in os.environ.items() if not name.startswith(("TENON_", "XDG_"))}
ENV |= {"HOME": FOLDER, "XDG_CONFIG_HOME": os.path.join(FOLDER, "config"), "XDG_STATE_HOME": STATE,
        "XDG_RUNTIME_DIR": os.path.join(FOLDER, "run"), "A_SERVER_TOKEN": "canary-of-the-server"}
os.mkdir(ENV["XDG_RUNTIME_DIR"], 0o700)
MEMBERS = {"timestamp", "content", "entry_type", "command_id", "session_id", "session_name", "project_id",
           "cwd", "exit_code", "duration_ms", "snippet", "line"}


class Served:
    """A server on its standard streams; it ends with its input."""

    def __init__(self):
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen([TENON, "serve", "terminal"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, env=ENV, encoding="utf-8")
        self.count = 0
        self.ask("initialize", protocolVersion="2025-06-18", capabilities={},
                 clientInfo={"name": "history", "version": "1"})
        self.process.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    def ask(self, method, **params):
        self.count += 1
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": self.count, "method": method,
                                             "params": params}) + "\n")
        self.process.stdin.flush()
        while True:
            line = self.process.stdout.readline()
            check.need(line, "it has ended")
            answer = json.loads(line)
            if answer.get("id") == self.count:
                return answer

    def tool(self, name, **arguments):
        answer = self.ask("tools/call", name=name, arguments=arguments)
        return answer.get("result", answer)

    def found(self, **arguments):
        result = self.tool("search_history", **arguments)
        check.need(not result.get("isError"), result)
        return result["structuredContent"]

    def end(self):
        self.process.stdin.close()
        self.process.wait(20)


def on_disk(text):
    for folder, _, files in os.walk(os.path.join(STATE, "tenon", "terminal")):
        for name in files:
            if name.startswith("history.db"):
                with open(os.path.join(folder, name), "rb") as file:
                    if text.encode() in file.read():
                        return name
    return None


def history(*words, code=0):
    done = subprocess.run([TENON, "terminal", "history", *words], env=ENV, timeout=30, check=False,
                          capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL)
    check.need(done.returncode == code, f"{words}: {done}")
    return done.stdout


def searches(served):
    with check.Step(SUITE, "a command is found as soon as it has ended; entries have every member (7.6)"):
        done = served.tool("execute_command", command="echo first-line; echo a/b.c --force; (exit 3)")
        result = served.tool("search_history", query="--force")
        entries = result["structuredContent"]["entries"]
        check.need({entry["entry_type"] for entry in entries} == {"command", "output"}, result)
        check.need(all(set(entry) == MEMBERS for entry in entries), entries)
        check.need(all(entry["command_id"] == done["structuredContent"]["command_id"] for entry in entries), entries)
        check.need(all(entry["exit_code"] == 3 for entry in entries), entries)
        output = [entry for entry in entries if entry["entry_type"] == "output"][0]
        check.need((output["content"], output["line"]) == ("a/b.c --force", 2), output)
        text = result["content"][0]["text"].split("\n")
        check.need(text[0] == "Search results (2 matches):" and len(text) == 3, text)
    with check.Step(SUITE, "type, exit, session, times, limit and cursor (7.6)"):
        check.need(served.found(query="force", type="output")["total"] == 1, "output")
        check.need(served.found(query="force", exit="ok")["total"] == 0, "ok")
        check.need(served.found(query="force", exit="failed")["total"] == 2, "failed")
        check.need(served.found(query="force", session_id="ses_other")["total"] == 0, "session")
        check.need(served.found(query="force", since="2020-01-01T00:00:00Z")["total"] == 2, "since")
        check.need(served.found(query="force", until="2020-01-01T00:00:00+02:00")["total"] == 0, "until")
        page = served.found(query="force", limit=1)
        check.need(page["total"] == 2 and len(page["entries"]) == 1, page)
        rest = served.found(query="force", limit=1, cursor=page["next_cursor"])
        check.need(rest["entries"] != page["entries"] and rest["next_cursor"] is None, rest)
        check.need(served.found(query="nothing-of-this-kind") ==
                   {"entries": [], "total": 0, "next_cursor": None}, "nothing")
    with check.Step(SUITE, "invalid_pattern, invalid_cursor, and what is -32602 (13)"):
        for arguments, code in (({"query": "(", "syntax": "regex"}, "invalid_pattern"),
                                ({"query": "x", "cursor": "h1.0"}, "invalid_cursor")):
            result = served.tool("search_history", **arguments)
            check.need(result.get("isError") and result["structuredContent"]["error"]["code"] == code, result)
        for arguments in ({}, {"query": ""}, {"query": "x", "since": "yesterday"}, {"query": "x", "type": "both"},
                          {"query": "x", "limit": 101}, {"query": "x", "other": 1}):
            result = served.tool("search_history", **arguments)
            check.need(result.get("error", {}).get("code") == -32602, result)
    with check.Step(SUITE, "no query of words is an error; 500 of them neither (7.6)"):
        for query in ('"', "AND", "NEAR(", "a*b ^ -", "text: x", " ".join("w" * 500), "\\", "'"):
            for syntax in ("words", "phrase", "fts"):
                served.found(query=query[:1000], syntax=syntax)
    with check.Step(SUITE, "terminal://history, with and without a query (8)"):
        for uri, least in (("terminal://history", 2), ("terminal://history?query=force&type=output&limit=1", 1)):
            answer = served.ask("resources/read", uri=uri)
            found = json.loads(answer["result"]["contents"][0]["text"])
            check.need(len(found["entries"]) >= least, answer)
        check.need("error" in served.ask("resources/read", uri="terminal://history?limit=0"), "limit=0")


def secrets(served):
    with check.Step(SUITE, "secrets typed, printed, exported and inherited reach no file and no result (9)"):
        served.tool("execute_command", command="export MY_TOKEN=canary-exported-1; echo $MY_TOKEN")
        served.tool("execute_command", command="printf '\\033[1m%s\\033[0m%s\\n' \"${MY_TOKEN%-exported-1}\" \"${MY_TOKEN#can???}\"")
        served.tool("execute_command", command="curl -u me:canary-typed-1 file:///nowhere; true")
        served.tool("execute_command", command="echo OTHER_SECRET=canary-printed-1")
        served.tool("execute_command", command="echo canary-of-the-server")
        found = served.found(query="canary", limit=100)
        check.need(found["total"] == 0, found)
        check.need(served.found(query="redacted")["total"] > 0, "nothing was taken out")
        check.need(on_disk("nowhere") and not on_disk("canary"), on_disk("canary"))


def command_line():
    with check.Step(SUITE, "tenon terminal history finds it without a server (14)"):
        check.need("a/b.c --force" in history("--type", "output", "--", "--force"), "output")
        check.need(json.loads(history("--json", "force"))["total"] == 2, "json")
        check.need("nowhere" in history(), "the newest")
        history("--since", "x", code=1)
        history("--syntax", "regex", "(", code=1)
    with check.Step(SUITE, "a purge needs a word, and leaves nothing on the disk (9)"):
        history("purge", code=1)
        check.need(on_disk("first-line"), "it was there")
        check.need("1 command removed" in history("purge", "--matching", "first-line"), "removed")
        check.need(not on_disk("first-line"), on_disk("first-line"))
        check.need(json.loads(history("--json", "force"))["total"] == 0, "found")
        history("purge", "--all")
        check.need(json.loads(history("--json"))["total"] == 0, "all")


try:
    SERVED = Served()
    try:
        searches(SERVED)
        secrets(SERVED)
    finally:
        SERVED.end()
    command_line()
finally:
    shutil.rmtree(FOLDER, ignore_errors=True)
sys.exit(1 if check.failures else 0)
