#!/usr/bin/env python3
"""admin.py - the daemon's own app on a real daemon: every resource as its schema says, published to
subscribers of both eras, and what only a person may do (docs/daemon.md).

tests/data/daemon/*.json are the schemas; /metrics is read by a strict reader of Prometheus text.
"""
import hashlib
import json
import os
import re
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib"))
import check  # noqa: E402
import daemon  # noqa: E402
import person  # noqa: E402
import links  # noqa: E402
import talk  # noqa: E402

SUITE = "daemon"
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/daemon")
TOPICS = ["status", "clients", "calls", "handles", "approvals", "audit", "logs", "settings", "policy",
          "hosts", "tools"]
LEGACY = "2025-06-18"
PLAN = "No changes. Your infrastructure matches the configuration."


def step(name):
    return check.Step(SUITE, name)


# ---- a schema's keywords, those that are used; others are mistakes ----

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def has_type(value, name):
    if name in ("integer", "number"):
        kinds = int if name == "integer" else (int, float)
        return isinstance(value, kinds) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def validate(schema, value, at=""):
    for keyword, rule in schema.items():
        if keyword in ("$schema", "title", "properties", "required"):
            continue
        if keyword == "type":
            names = rule if isinstance(rule, list) else [rule]
            check.need(any(has_type(value, name) for name in names), f"{at}: {value!r} is no {rule}")
        elif keyword == "enum":
            check.need(value in rule, f"{at}: {value!r} is none of {rule}")
        elif keyword == "pattern":
            check.need(not isinstance(value, str) or re.search(rule, value), f"{at}: {value!r}")
        elif keyword == "minimum":
            check.need(not isinstance(value, (int, float)) or value >= rule, f"{at}: {value} < {rule}")
        elif keyword == "maximum":
            check.need(not isinstance(value, (int, float)) or value <= rule, f"{at}: {value} > {rule}")
        elif keyword == "minItems":
            check.need(value is None or len(value) >= rule, f"{at}: {len(value)} elements")
        elif keyword == "maxItems":
            check.need(value is None or len(value) <= rule, f"{at}: {len(value)} elements")
        elif keyword == "items":
            for index, element in enumerate(value or []):
                validate(rule, element, f"{at}[{index}]")
        elif keyword == "additionalProperties" and rule is False:
            more = set(value) - set(schema["properties"])
            check.need(not more, f"{at}: also has {sorted(more)}")
        else:
            raise AssertionError(f"{at}: the schema says {keyword}, which nobody checks")
    if isinstance(value, dict):
        for name in schema.get("required", []):
            check.need(name in value, f"{at}: {name} is missing")
        for name, inner in schema.get("properties", {}).items():
            if name in value:
                validate(inner, value[name], f"{at}.{name}")


# ---- Prometheus text, format 0.0.4 ----

LABEL = r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"'
SAMPLE = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(" + LABEL + "(?:," + LABEL + r")*)\})? (\S+)")


def read_metrics(text):
    """{(name, labels): value}; every rule of the format that a scraper relies on is checked."""
    check.need(text.endswith("\n"), "the last line has no end")
    types, samples, family, closed = {}, {}, None, set()
    for line in text[:-1].split("\n"):
        if line.startswith("# HELP "):
            check.need(family not in closed, "a family twice")
            closed.add(family)
            family = line.split(" ")[2]
            check.need(family not in closed, f"{family} stands twice")
            continue
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            check.need(name == family and name not in types, f"TYPE of {name} is not below its HELP")
            check.need(kind in ("counter", "gauge", "histogram"), kind)
            types[name] = kind
            continue
        found = SAMPLE.fullmatch(line)
        check.need(found, f"no sample: {line!r}")
        name, labels, value = found.group(1), found.group(2) or "", float(found.group(found.lastindex))
        base = re.sub("_(bucket|sum|count)$", "", name) if types.get(family) == "histogram" else name
        check.need(base == family, f"{name} stands among {family}")
        check.need((name, labels) not in samples, f"{name}{{{labels}}} twice")
        pairs = re.findall(LABEL, labels)
        check.need(len({key for key, _ in pairs}) == len(pairs), f"a label twice: {labels}")
        samples[name, labels] = value
    for family, kind in types.items():
        if kind == "histogram":
            check_histogram(family, samples)
    return samples


def check_histogram(family, samples):
    """Buckets grow to +Inf, which is the count."""
    series = {}
    for (name, labels), value in samples.items():
        if name == family + "_bucket":
            bound = re.search(r',?le="([^"]*)"', labels)
            series.setdefault(labels.replace(bound.group(0), ""), []).append(
                (float(bound.group(1)), value))
    for labels, buckets in series.items():
        check.need(buckets == sorted(buckets), f"{family}: bounds out of order")
        check.need([value for _, value in buckets] == sorted(value for _, value in buckets),
                   f"{family}{{{labels}}} is not cumulated")
        check.need(buckets[-1][0] == float("inf"), f"{family} has no +Inf")
        check.need(buckets[-1][1] == samples[family + "_count", labels], f"{family}: +Inf is the count")
        check.need((family + "_sum", labels) in samples, f"{family} has no sum")


# ---- clients ----

def person_token(home):
    answer = person.do("ask", path=home.runtime("person.sock"))
    check.need("token" in answer, answer)
    return answer["token"]


class Talker(talk.Client):
    """A client on /ws, of either era, with a name."""

    def __init__(self, home, revision, name, token=None):
        found = home.discovery()
        url = f"ws://127.0.0.1:{found['httpPort']}/ws"
        super().__init__(links.WebSocket(url, token or found["token"]), revision)
        self.info = {"name": name, "version": "7"}
        if not self.is_modern:
            self.ask("initialize", {"protocolVersion": revision, "capabilities": {},
                                    "clientInfo": self.info})
            self.notify("notifications/initialized")

    def start(self, method, params=None, number=None):
        if self.is_modern:
            params = {**(params or {}), "_meta": {talk.META + "clientInfo": self.info}}
        return super().start(method, params, number)

    def read(self, topic):
        answer = self.ask("resources/read", {"uri": "tenon://" + topic})
        check.need("result" in answer, f"{topic}: {answer}")
        content, = answer["result"]["contents"]
        check.need(content["mimeType"] == "application/json", content)
        return json.loads(content["text"])

    def tool(self, name, **arguments):
        answer = self.ask("tools/call", {"name": name, "arguments": arguments})
        check.need("result" in answer, f"{name}: {answer}")
        return answer["result"]

    def subscribe(self, *topics):
        uris = ["tenon://" + topic for topic in topics]
        if self.is_modern:
            self.start("subscriptions/listen", {"notifications": {"resourceSubscriptions": uris}})
            self.note("notifications/subscriptions/acknowledged")
        else:
            for uri in uris:
                check.need("result" in self.ask("resources/subscribe", {"uri": uri}), uri)

    def note(self, method, uri=None, seconds=20):
        """The next notification of this kind; those before it are dropped."""
        deadline = time.monotonic() + seconds
        while True:
            while self.notes:
                note = self.notes.pop(0)
                if note["method"] == method and (not uri or note["params"]["uri"] == uri):
                    return note
            check.need(time.monotonic() < deadline, f"no {method} {uri or ''}")
            try:
                self.take(max(0.01, deadline - time.monotonic()))
            except TimeoutError:
                pass

    def updated(self, topic):
        return self.note("notifications/resources/updated", "tenon://" + topic)

    def explain(self):
        return self.tool("terraform_explain", plan_text=PLAN)


# ---- the stories ----

def shapes(home, person):
    for topic in TOPICS:
        with step(f"tenon://{topic} is as its schema says"), \
                open(os.path.join(DATA, topic + ".json"), encoding="utf-8") as file:
            validate(json.load(file), person.read(topic), topic)
    with step("all resources and tools are offered, the tools to a person only"):
        def names(client, method, kind, member):
            return {item[member] for item in client.ask(method)["result"][kind]}
        tools = {"approve_request", "rotate_token", "change_settings", "change_policy",
                 "show_token"}
        anybody = Talker(home, LEGACY, "anybody")
        check.need(tools <= names(person, "tools/list", "tools", "name"), "a person's tools")
        check.need(not tools & names(anybody, "tools/list", "tools", "name"), "anybody's tools")
        uris = {"tenon://" + topic for topic in TOPICS}
        check.need(uris <= names(anybody, "resources/list", "resources", "uri"), "resources")
        check.need("error" in anybody.ask("tools/call", {"name": "rotate_token", "arguments": {}}),
                   "anybody rotates")
        anybody.link.close()


def published(home):
    for revision in (LEGACY, talk.MODERN):
        with step(f"changes are published to {revision}, counts once a second (issue 4)"):
            watcher = Talker(home, revision, "watcher")
            watcher.subscribe("calls", "clients")
            other = Talker(home, talk.MODERN, "other")
            began, calls = time.monotonic(), 0
            watcher.updated("clients")
            while time.monotonic() < began + 3:
                other.explain()
                calls += 1
            other.link.close()
            watcher.updated("calls")
            for _ in range(3):
                try:
                    watcher.take(1.2)
                except TimeoutError:
                    break
            told = 1 + sum(note["params"]["uri"] == "tenon://calls" for note in watcher.notes)
            spent = time.monotonic() - began
            check.need(2 <= told <= spent + 2, f"{told} times in {spent:.1f} s of {calls} calls")
            watcher.link.close()


def numbers(home, person):
    with step("calls, clients and status show what was done"):
        client = Talker(home, talk.MODERN, "Ada")
        before = person.read("status")["calls"]
        for _ in range(5):
            client.explain()
        client.tool("terraform_explain", plan_id="pln_nothing")
        after = person.read("status")["calls"]
        check.need(after["total"] == before["total"] + 6, f"{before} {after}")
        check.need(after["errors"] == before["errors"] + 1, f"{before} {after}")
        shown = next(c for c in person.read("clients")["clients"] if c["name"] == "Ada")
        check.need(shown["version"] == "7" and shown["calls"] == 6 and not shown["person"], shown)
        check.need(shown["lastCall"] == "terraform_explain" and shown["revision"] == talk.MODERN, shown)
        calls = person.read("calls")
        check.need([c["outcome"] for c in calls["recent"][:6]] == ["tool_error"] + ["ok"] * 5,
                   calls["recent"][:6])
        tool = next(t for t in calls["tools"] if t["name"] == "terraform_explain")
        check.need(tool["app"] == "plan" and tool["calls"] >= 6, tool)
        check.need(0 < tool["p50Ms"] <= tool["p99Ms"], tool)
        me = next(c for c in person.read("clients")["clients"] if c["name"] == "person")
        check.need(me["person"] and me["transport"] == "websocket", me)
        client.link.close()
    with step("/metrics is Prometheus text, and wants a token"):
        check.need(home.get("/metrics")[0] == 401, "without a token")
        status, headers, body = home.get("/metrics", home.discovery()["token"])
        check.need(status == 200, status)
        check.need(headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8", headers)
        samples = read_metrics(body.decode())
        check.need(samples["tenon_tool_calls_total", 'tool="terraform_explain",app="plan",outcome="ok"']
                   >= 5, "calls of a tool")
        check.need(samples["process_resident_memory_bytes", ""] > 1e6, "memory")


def changes(home, person):
    with step("change_settings changes the file and the daemon, wholly or not at all (FR-02)"):
        refused = person.tool("change_settings", settings={"log.level": "debug", "http.port": 7})
        check.need(refused.get("isError"), refused)
        key = {s["key"]: s for s in person.read("settings")["settings"]}
        check.need(key["log.level"]["source"] == "default", key["log.level"])
        done = person.tool("change_settings", settings={"log.level": "debug"})
        check.need(done["structuredContent"] == {"changed": ["log.level"], "problem": None}, done)
        with open(home.path("config", "tenon", "config.json"), encoding="utf-8") as file:
            check.need(json.load(file)["log"]["level"] == "debug", "the file")
    with step("one debug line for each call, without arguments (studio.md section 21)"):
        person.explain()
        line = [json.loads(text) for text in home.log().splitlines() if '"area":"call"' in text][-1]
        check.need(line["tool"] == "terraform_explain" and line["outcome"] == "ok" and line["ms"] > 0
                   and line["bytes"] > 100, line)
        check.need("matches the configuration" not in home.log(), "the arguments are in the log")
        person.tool("change_settings", settings={"log.level": None})
    with step("change_policy validates, is in force at once, and is published"):
        person.subscribe("policy")
        refused = person.tool("change_policy", text='{"rules": [{"action": "perhaps"}]}')
        check.need(refused.get("isError"), refused)
        check.need(person.read("policy")["text"] == "", "nothing was written")
        text = '{"rules": [{"id": "r", "tool": "terraform_explain", "action": "deny"}]} // mine\n'
        check.need(not person.tool("change_policy", text=text).get("isError"), "a good one")
        person.updated("policy")
        check.need(person.read("policy")["text"] == text, "the file")
        check.need(os.stat(home.path("config", "tenon", "policy.json")).st_mode & 0o777 == 0o600, "mode")
        client = Talker(home, talk.MODERN, "Eve")
        denied = client.explain()
        check.need(denied["structuredContent"]["error"] == "DENIED_BY_POLICY", denied)
        client.link.close()
        person.tool("change_policy", text="{}")


def audited(home, person):
    with step("the audit has the changes, with a digest and without arguments (ST-147)"):
        entries = person.read("audit")["entries"]
        check.need(entries[0]["tool"] == "change_policy" and entries[0]["person"], entries[0])
        done = next(e for e in entries if e["tool"] == "change_settings" and e["outcome"] == "ok")
        check.need(done["detail"] == "log.level", done)
        check.need(entries[-1]["tool"] == "daemon_start", entries[-1])
        check.need(os.stat(home.path("state", "tenon", "audit.jsonl")).st_mode & 0o777 == 0o600, "mode")


def audit_is_a_chain(home, person):
    with step("the audit is a chain: what is changed, removed or cut in it is found; its head is shown"):
        path = home.path("state", "tenon", "audit.jsonl")

        def verdict(*words, code=0):
            return json.loads(home.tenon("audit", "--json", *words, code=code).stdout)

        noted = verdict()["head"]
        check.need(person.read("audit")["head"] == noted, "the page shows another head")
        with open(path, encoding="utf-8") as file:
            lines = file.readlines()
        check.need(len(lines) > 3, "too few entries to try it on")

        def rewrite(new):
            with open(path, "r+", encoding="utf-8") as file:  # the daemon goes on with the same file
                file.writelines(new)
                file.truncate()

        for name, new in (("a changed line", [lines[0].replace('"outcome":"', '"outcome":"x')] + lines[1:]),
                          ("a removed line", lines[:1] + lines[2:]), ("a line twice", lines[:2] + lines[1:]),
                          ("a cut end", lines[:-1]), ("another order", [lines[1], lines[0]] + lines[2:])):
            rewrite(new)
            check.need(not verdict(code=5)["whole"], f"{name} was not found")
            check.need("BROKEN" in home.tenon("audit", code=5).stdout, f"{name}: no word of it")
        rewrite(lines)
        check.need(verdict()["whole"], "it was put back, and is not whole")
        home.tenon("call", "plan.terraform_review", "plan_id=pln_none", code=None)
        check.need(verdict("--head", noted)["headLine"] > 0, "the noted head is not found later")
        check.need(verdict("--head", "0" * 64, code=5)["headLine"] == 0, "any head is found")


def tools_are_published(home, person):
    with step("what models are told about the tools is what docs/tools.sha256 publishes (attack 23)"):
        printed = home.tenon("tools", "--hash").stdout
        with open(os.path.join(DATA, "../../../docs/tools.sha256"), encoding="utf-8") as file:
            published = file.read()
        changed = sorted({line.split(None, 1)[1].strip()
                          for line in set(printed.splitlines()) ^ set(published.splitlines())})
        check.need(not changed, f"changed: {', '.join(changed)}. A changed text is another instruction to a "
                   "model: read it again, then renew the file (tenon tools --hash >docs/tools.sha256)")
        lines = printed.splitlines(keepends=True)
        check.need(hashlib.sha256("".join(lines[:-1]).encode()).hexdigest() == lines[-1].split()[0], "the sum")
        check.need(person.read("tools")["hash"] == lines[-1].split()[0], "the resource says something else")
        check.need(len({line.split(".")[-1] for line in lines[:-1]}) == len(lines) - 1, "a name twice")


def rotates(home, person):
    with step("rotate_token gives the new token; the old one is refused within a second"):
        old = home.discovery()["token"]
        client = Talker(home, LEGACY, "late")
        new = person.tool("rotate_token")["structuredContent"]["token"]
        check.need(new != old and home.discovery()["token"] == new, "the discovery file")
        check.need(home.get("/metrics", old)[0] == 401 and home.get("/metrics", new)[0] == 200, "tokens")
        try:
            deadline = time.monotonic() + 1.5
            while time.monotonic() < deadline:
                client.take(deadline - time.monotonic())
            raise AssertionError("the old connection lives on")
        except links.Lost:
            pass
        except TimeoutError as late:
            raise AssertionError("the old connection lives on") from late
        check.need(person.read("status")["pid"] > 0, "the person's own connection stays")


def ends(home):
    with step("start and stop are in the audit, which survives a restart"):
        home.stop()
        child = home.foreground()
        person = Talker(home, talk.MODERN, "person", person_token(home))
        tools = [entry["tool"] for entry in person.read("audit")["entries"]]
        check.need(tools[0] == "daemon_start" and tools[1] == "daemon_stop", tools[:4])
        check.need("rotate_token" in tools, tools)
        person.link.close()
        home.stop()
        check.need(child.wait(20) == 0, "exit code")


def main():
    with daemon.Home() as home:
        home.foreground()
        person = Talker(home, talk.MODERN, "person", person_token(home))
        shapes(home, person)
        published(home)
        numbers(home, person)
        changes(home, person)
        audited(home, person)
        audit_is_a_chain(home, person)
        tools_are_published(home, person)
        rotates(home, person)
        person.link.close()
        ends(home)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
