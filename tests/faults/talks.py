"""talks.py - one conversation of at most 40 messages on each transport, as cases of drive.py.

The server has the fault, the client here has none. It asks everything a server can be asked; where a
connection breaks it goes on with a new one. In the end the server must still answer somebody new.
"""
import atexit
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from cases import BUILD, TIMEOUT_S, Command, Outcome, environment

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import links  # noqa: E402
from talk import META, MODERN, Client  # noqa: E402

ANSWER_S = 20
TASKS = "io.modelcontextprotocol/tasks"
WATCHED = "test://watched-resource"


def steps(modern):
    """Label, method and params of every request; in an order in which each has what it needs."""
    yield "tools", "tools/list", {}
    yield "resources", "resources/list", {}
    yield "templates", "resources/templates/list", {}
    yield "prompts", "prompts/list", {}
    yield "text", "tools/call", {"name": "test_simple_text"}
    yield "mixed", "tools/call", {"name": "test_multiple_content_types"}
    yield "failing", "tools/call", {"name": "test_error_handling"}
    yield "unknown tool", "tools/call", {"name": "no_such_tool"}
    yield "bad arguments", "tools/call", {"name": "json_schema_2020_12_tool", "arguments": {"a": 1}}
    yield "progress", "tools/call", {"name": "test_tool_with_progress",
                                     "_meta": {"progressToken": "p"}}
    level = {"_meta": {META + "logLevel": "debug"}} if modern else {}
    yield "logging", "tools/call", {"name": "test_tool_with_logging", **level}
    yield "form", "tools/call", {"name": "test_elicitation", "arguments": {"message": "Who?"}}
    yield "sampling", "tools/call", {"name": "test_sampling", "arguments": {"prompt": "What?"}}
    yield "rounds", "tools/call", {"name": "test_input_required_result_multi_round"}
    if modern:
        yield "two questions", "tools/call", {"name": "multi_input"}
    yield "binary", "resources/read", {"uri": "test://static-binary"}
    yield "template", "resources/read", {"uri": "test://template/7/data"}
    yield "no resource", "resources/read", {"uri": "test://nothing"}
    yield "prompt", "prompts/get", {"name": "test_prompt_with_arguments",
                                    "arguments": {"arg1": "a", "arg2": "b"}}
    yield "completion", "completion/complete", {
        "ref": {"type": "ref/prompt", "name": "test_prompt_with_arguments"},
        "argument": {"name": "arg1", "value": "par"}}
    if not modern:
        yield "level", "logging/setLevel", {"level": "error"}
        yield "subscribe", "resources/subscribe", {"uri": WATCHED}
    yield "change", "tools/call", {"name": "test_trigger_resource_update"}


class Talker:
    """Goes through the steps; opens a new connection when one is lost. `doing`: the step it is at."""

    def __init__(self, connect, revision, timeout_s):
        self.connect, self.revision, self.timeout_s = connect, revision, timeout_s
        self.client, self.answers, self.opened = None, {}, 0
        self.doing = ""
        self.code = None  # what closing the last connection gave: of a process, its exit code

    def ready(self):
        if self.client:
            return True
        if self.opened == 3:
            return False
        self.opened += 1
        client = Client(self.connect(), self.revision, self.timeout_s)
        self.client = client
        answer = client.hello()
        if "result" not in answer:
            raise links.Lost(str(answer))
        self.answers.setdefault("hello", answer["result"])
        return True

    def drop(self):
        try:
            if self.client:
                self.code = self.client.link.close()
        finally:
            self.client = None

    def try_to(self, act):
        """What act answers; None when the connection was lost, whose successor comes next."""
        try:
            return act() if self.ready() else None
        except links.Lost:
            self.drop()
            return None

    def ask(self, label, method, params):
        self.doing = label
        answer = self.try_to(lambda: self.client.ask_fully(method, params))
        if answer is not None:
            answer.pop("id", None)
            self.answers[label] = answer

    def listen(self):
        """Modern: opens a stream, sees it acknowledged, and ends it."""
        def act():
            number = self.client.start("subscriptions/listen", {
                "notifications": {"resourceSubscriptions": [WATCHED]}})
            # An error that has no id, because there was no memory to read one, is an answer, too.
            while not {number, None} & set(self.client.answers) and not self.client.notes:
                self.client.take(self.timeout_s)
            self.client.answers.pop(None, None)
            self.client.notes.clear()
            return number
        self.doing = "listen"
        number = self.try_to(act)
        if number is not None:
            self.ask("change while listening", "tools/call", {"name": "test_trigger_resource_update"})
            self.try_to(lambda: self.client.cancel(number))

    def cancelled(self):
        """A call that nobody waits for any more."""
        number = self.try_to(lambda: self.client.start("tools/call", {"name": "test_reconnection"}))
        if number is not None:
            self.try_to(lambda: self.client.cancel(number))

    def task(self):
        """A call that goes on as a task and asks two things. Its id is random."""
        def act():
            client = self.client
            client.capabilities["extensions"] = {TASKS: {}}
            try:
                return client.task("multi_input")
            finally:
                del client.capabilities["extensions"]
        self.doing = "task"
        answer = self.try_to(act)
        if answer is not None:
            result = answer.get("result") or {"isError": True}
            result.pop("_meta", None)
            self.answers["task"] = {"result": result}

    def run(self):
        self.cancelled()
        for label, method, params in steps(self.revision == MODERN):
            self.ask(label, method, params)
        if self.revision >= "2025-11-25":
            self.task()
        if self.revision == MODERN:
            self.listen()
        self.ask("last", "tools/call", {"name": "test_simple_text"})
        return json.dumps(self.answers)


def same(good, bad):
    """Each answer is the one without the fault, or says that something failed."""
    good, bad = json.loads(good), json.loads(bad)
    for label, answer in bad.items():
        failed = "error" in answer or answer.get("result", {}).get("isError")
        if not failed and answer != good.get(label):
            return False
    return True


class Talk:
    """A conversation with conformance-server over the network or a socket."""

    program = "conformance-server"
    args = ("--http", "127.0.0.1:0")

    def __init__(self, name, revision, connect):
        self.name, self.revision, self.connect = name, revision, connect
        self.is_same = same

    def url_of(self, errors_path, process):
        """The address; None when the server ended before it had one."""
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            with open(errors_path, encoding="utf-8", errors="replace") as file:
                found = re.search(r"^listening on (\S+)\n", file.read(), re.M)
            if found:
                return found.group(1)
            if process.poll() is not None:
                return None
            time.sleep(0.005)
        return None

    def talk(self, url, is_lost):
        """The answers, and whether something was waited for in vain."""
        wait_s = 1 if is_lost else ANSWER_S
        talker = Talker(lambda: self.connect(url, wait_s), self.revision, wait_s)
        output, hung = "{}", ""
        try:
            output = talker.run()
        except TimeoutError:
            output, hung = json.dumps(talker.answers), "" if is_lost else talker.doing
        finally:
            talker.drop()
        return output, hung

    def is_alive(self, url):
        """Whether somebody new is served; the fault may still hit one of them."""
        for _ in range(3):
            talker = Talker(lambda: self.connect(url, ANSWER_S), self.revision, ANSWER_S)
            try:
                if talker.ready() and talker.client.call("test_simple_text").get("result"):
                    return True
            except (links.Lost, TimeoutError):
                pass
            finally:
                talker.drop()
        return False

    def run(self, work, fault):
        errors_path = tempfile.mktemp(dir=work)
        with open(errors_path, "wb") as errors_file:
            process = subprocess.Popen([os.path.join(BUILD, self.program), *self.args],
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=errors_file, env=environment(work, fault))
        url = self.url_of(errors_path, process)
        # Where everything fails from then on nobody can be served; the server must still end.
        is_lost = fault.get("KIND") == "io" and fault.get("MODE") == "on"
        output, hung, dead = "{}", "", False
        if url:
            output, hung = self.talk(url, is_lost)
            dead = (not hung and fault.get("MODE") != "on" and process.poll() is None and
                    not self.is_alive(url))
        ended_early = process.poll() is not None and url
        if process.poll() is None:
            process.terminate()
        try:
            process.wait(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            hung = "SIGTERM"
            process.kill()
            process.wait()
        with open(errors_path, encoding="utf-8", errors="replace") as file:
            errors = file.read()
        outcome = Outcome(process.returncode, output, errors, hung)
        if dead:
            outcome.why = "lives, but serves nobody any more"
        elif ended_early and fault.get("MODE") != "on":
            outcome.why = f"one failure ended the server: {errors[-300:]}"
        return outcome


class UnixTalk(Talk):
    """The socket lies in the folder of the run."""

    def __init__(self, name, revision):
        super().__init__(name, revision, links.Unix)

    def run(self, work, fault):
        path = os.path.join(work, "socket")
        case = Talk(self.name, self.revision, lambda url, wait_s: links.Unix(path))
        case.args = ("--unix", path)
        return case.run(work, fault)


class StdioTalk:
    """The same with a child process: what breaks its streams may end it."""

    program = "conformance-server"

    def __init__(self, name, revision):
        self.name, self.revision = name, revision
        self.is_same = same

    def run(self, work, fault):
        errors_path = tempfile.mktemp(dir=work)
        codes = []
        with open(errors_path, "wb") as errors_file:
            def connect():
                if codes:
                    raise links.Lost("a new process would be another case")
                codes.append(None)
                return links.Stdio([os.path.join(BUILD, self.program), "--stdio"],
                                   environment(work, fault), errors_file)
            talker = Talker(connect, self.revision, ANSWER_S)
            hung = ""
            try:
                talker.run()
            except TimeoutError:
                hung = talker.doing
            talker.drop()
        with open(errors_path, encoding="utf-8", errors="replace") as file:
            errors = file.read()
        return Outcome(talker.code or 0, json.dumps(talker.answers), errors,
                       hung or ("end of input" if talker.code is None else ""))


class Healthy:
    """A server without faults, for as long as the driver runs."""

    def __init__(self):
        self.process, self.work = None, tempfile.mkdtemp()

    def start(self):
        socket, errors_path = os.path.join(self.work, "socket"), os.path.join(self.work, "errors")
        with open(errors_path, "wb") as errors_file:
            self.process = subprocess.Popen(
                [os.path.join(BUILD, "conformance-server"), "--http", "127.0.0.1:0",
                 "--unix", socket], stdin=subprocess.DEVNULL, stderr=errors_file)
        atexit.register(self.stop)
        while self.process.poll() is None:
            with open(errors_path, encoding="utf-8", errors="replace") as file:
                found = re.search(r"^listening on (http://\S+)/mcp\n.*unix:", file.read(), re.M | re.S)
            if found:
                return {"root": found.group(1), "ws": found.group(1).replace("http", "ws", 1),
                        "socket": socket}
            time.sleep(0.01)
        raise RuntimeError("conformance-server does not start")

    def stop(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.work, ignore_errors=True)


def same_content(good, bad):
    """A probe that is lost makes the client fall back: the answer is the same, in an older form."""
    return json.loads(good)["content"] == json.loads(bad)["content"]


class OurClient(Command):
    """Our own client has the fault and the server has none: a call, and the end of the program."""

    where = None  # of the healthy server; one for all

    def __init__(self, name, target, tool="test_multiple_content_types"):
        super().__init__(name, "tiny-client", (), same=same_content)
        self.target, self.tool = target, tool
        self.timeout_s = 30  # half of what the client itself would wait for an answer

    def command_line(self):
        if not OurClient.where:
            OurClient.where = Healthy().start()
        if self.target:
            self.args = [self.target % OurClient.where, "--", self.tool, "{}"]
        else:
            self.args = [os.path.join(BUILD, "conformance-server"), "--stdio", "--", self.tool, "{}"]
        return super().command_line()


def our_clients():
    return [
        OurClient("our client over stdio", None),
        OurClient("our client over HTTP", "%(root)s/mcp"),
        OurClient("our client over HTTP, events", "%(root)s/mcp", "test_tool_with_progress"),
        OurClient("our client over HTTP+SSE", "%(root)s/sse"),
        OurClient("our client over WebSocket", "%(ws)s/ws"),
        OurClient("our client on a Unix socket", "unix:%(socket)s"),
    ]


def all_talks():
    def path(url, end):
        return url.rsplit("/", 1)[0] + end

    def http(url, wait_s):
        return links.Http(url, timeout_s=wait_s)

    def websocket(url, wait_s):
        return links.WebSocket(path(url, "/ws"), timeout_s=wait_s)

    return [
        StdioTalk("2025-11-25 on stdio", "2025-11-25"),
        StdioTalk("2026-07-28 on stdio", MODERN),
        Talk("2026-07-28 over HTTP, JSON", MODERN, http),
        Talk("2026-07-28 over HTTP, events", MODERN,
             lambda url, wait_s: links.Http(url, accept="text/event-stream", timeout_s=wait_s)),
        Talk("2025-11-25 over HTTP, a session", "2025-11-25", http),
        Talk("2024-11-05 over HTTP+SSE", "2024-11-05",
             lambda url, wait_s: links.Sse(path(url, "/sse"), timeout_s=wait_s)),
        Talk("2025-11-25 over WebSocket", "2025-11-25", websocket),
        Talk("2026-07-28 over WebSocket", MODERN, websocket),
        UnixTalk("2025-11-25 on a Unix socket", "2025-11-25"),
    ]
