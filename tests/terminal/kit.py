"""kit.py - for the tests beside it: "tenon serve terminal" on its standard streams, in folders of its own.

    with kit.Served() as served:
        served.run("echo x")["output"]        # execute_command, its structured result
        served.refused("busy", "execute_command", command="x", if_busy="fail")

Every result is held against its tool's output schema; with the end no process of a session is left.
"""
import json
import os
import shutil
import signal
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import links  # noqa: E402

BUILD = os.environ.get("TENON_BUILD", os.path.join(os.path.dirname(__file__), "../../build"))
TENON = os.path.abspath(os.path.join(BUILD, "tenon"))
REVISION = "2025-11-25"
PATIENCE_S = 60
KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def fits(value, kind):
    if kind in ("integer", "number"):
        return isinstance(value, int if kind == "integer" else (int, float)) and not isinstance(value, bool)
    return isinstance(value, KINDS[kind])


def objections(value, schema, at="result"):
    """What a schema says against a value; of the schema what ours are made of."""
    unknown = set(schema) - {"type", "properties", "required", "additionalProperties", "items", "enum", "const",
                             "description", "anyOf", "oneOf", "minimum", "maximum", "minLength", "maxLength",
                             "minItems", "maxItems", "default", "format", "x-mcp-header", "title", "$schema"}
    check.need(not unknown, f"the test does not know {unknown}")
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(fits(value, kind) for kind in kinds):
        return [f"{at} is no {kinds}: {value!r}"[:300]]
    found = []
    for several in ("anyOf", "oneOf"):
        if several in schema and all(objections(value, one, at) for one in schema[several]):
            found.append(f"{at} is none of {several}: {value!r}"[:300])
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{at}: {value!r} is none of {schema['enum']}")
    if isinstance(value, dict):
        known = schema.get("properties", {})
        found += [f"{at} lacks {name}" for name in schema.get("required", []) if name not in value]
        if schema.get("additionalProperties") is False:
            found += [f"{at}.{name} is not in the schema" for name in value if name not in known]
        for name, inner in known.items():
            if name in value:
                found += objections(value[name], inner, f"{at}.{name}")
    if isinstance(value, list) and "items" in schema:
        for number, one in enumerate(value):
            found += objections(one, schema["items"], f"{at}[{number}]")
    return found


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Served:
    def __init__(self, *options, env=None, settings=None, policy=None, program=None, under=(), hello=True,
                 capabilities=None):
        self.folder = tempfile.mkdtemp(prefix="tenon-terminal-")
        os.chmod(self.folder, 0o755)
        self.home = os.path.join(self.folder, "home")
        self.state = os.path.join(self.folder, "state")
        self.env = {name: value for name, value in os.environ.items()
                    if not name.startswith(("TENON_", "XDG_", "OPENAI"))}
        self.env |= {"HOME": self.home, "SHELL": "/bin/bash", "XDG_CONFIG_HOME": os.path.join(self.folder, "config"),
                     "XDG_STATE_HOME": self.state, "XDG_RUNTIME_DIR": os.path.join(self.folder, "run")}
        self.env |= env or {}
        for name in ("home", "state", "config", "run"):
            os.mkdir(os.path.join(self.folder, name), 0o700)
        words = [*under, program or TENON, "serve", "terminal", "--set", "rate_per_minute=100000", *options]
        if settings is not None:
            words += ["--config", self.put("settings.json", json.dumps(settings))]
        if policy is not None:
            words += ["--policy", self.put("policy.json", json.dumps(policy))]
        self.words, self.capabilities = words, capabilities or {}
        self.errors = open(os.path.join(self.folder, "stderr"), "wb")  # pylint: disable=consider-using-with
        self.count, self.notes, self.answers, self.schemas = 0, [], {}, {}
        self.on_ask = lambda method, params: {"action": "cancel"}
        self.link = None
        if hello:
            self.begin()

    def begin(self):
        cwd = os.getcwd()
        os.chdir(self.home)
        try:
            self.link = links.Stdio(self.words, self.env, self.errors)
        finally:
            os.chdir(cwd)
        self.ask("initialize", protocolVersion=REVISION, capabilities=self.capabilities,
                 clientInfo={"name": "terminal-tests", "version": "1"})
        self.link.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.schemas = {tool["name"]: tool["outputSchema"] for tool in self.ask("tools/list")["result"]["tools"]}

    @property
    def pid(self):
        return self.link.process.pid

    def put(self, name, text, mode=0o644):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    # ---- messages ----

    def send(self, method, /, **params):
        self.count += 1
        self.link.send({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params})
        return self.count

    def take(self, timeout_s):
        message = self.link.receive(timeout_s)
        if "method" in message and "id" in message:
            self.link.send({"jsonrpc": "2.0", "id": message["id"],
                            "result": self.on_ask(message["method"], message["params"])})
        elif "method" in message:
            self.notes.append(message)
        else:
            self.answers[message.get("id")] = message

    def finish(self, number, timeout_s=PATIENCE_S):
        deadline = time.monotonic() + timeout_s
        while number not in self.answers:
            self.take(max(0, deadline - time.monotonic()))
        return self.answers.pop(number)

    def ask(self, method, /, **params):
        return self.finish(self.send(method, **params))

    def start(self, name, /, **arguments):
        return self.send("tools/call", name=name, arguments=arguments)

    def checked(self, name, answer):
        result = answer.get("result")
        if result and not result.get("isError") and "structuredContent" in result and \
                not result["structuredContent"].get("placeholder"):
            wrong = objections(result["structuredContent"], self.schemas[name])
            check.need(not wrong, f"{name}: {wrong[:3]}")
        return answer

    def call(self, name, /, **arguments):
        """The whole answer."""
        return self.checked(name, self.finish(self.start(name, **arguments)))

    def tool(self, name, /, **arguments):
        """Its structured result; it must be no error."""
        answer = self.call(name, **arguments)
        result = answer.get("result", {})
        check.need(result and not result.get("isError"), f"{name} {str(arguments)[:200]}: {str(answer)[:600]}")
        return result["structuredContent"]

    def refused(self, code, name, /, **arguments):
        """The error of a domain refusal in its whole shape (7, 13)."""
        answer = self.call(name, **arguments)
        result = answer.get("result", {})
        error = result.get("structuredContent", {}).get("error", {})
        check.need(result.get("isError") is True and error.get("code") == code,
                   f"{code} is not {str(answer)[:400]}, of {name} {str(arguments)[:80]}")
        check_refusal(result)
        return error

    # ---- usual things ----

    def run(self, command, **more):
        return self.tool("execute_command", command=command, **more)

    def new(self, **more):
        return self.tool("create_session", **more)["session"]["id"]

    def info(self, session):
        for one in self.tool("list_sessions", include_closed=True)["sessions"]:
            if one["id"] == session:
                return one
        raise AssertionError("the session is not listed")

    def answers_within(self, seconds=1.0):
        if check.sanitized():
            seconds *= 4
        begun = time.monotonic()
        self.tool("list_sessions")
        check.need_soon(begun, seconds, "list_sessions")

    def until(self, true, what, seconds=20):
        deadline = time.monotonic() + seconds
        while not true():
            check.need(time.monotonic() < deadline, f"not within {seconds} s: {what}")
            time.sleep(0.02)

    def ours(self):
        """Processes of our sessions, and what they have started: our folder is in their environment."""
        mark = ("XDG_RUNTIME_DIR=" + self.env["XDG_RUNTIME_DIR"]).encode()
        found = []
        for name in os.listdir("/proc"):
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    if name.isdigit() and mark in file.read().split(b"\0") and is_alive(int(name)):
                        found.append(int(name))
            except OSError:
                continue
        return found

    def ends(self, session, **more):
        """Closes it; nothing that it started is left."""
        done = self.tool("close_session", session_id=session, **more)
        check.need(done["session"]["state"] == "closed", done)
        return done

    def files(self):
        """(path, bytes) of everything below the state and runtime folders."""
        for folder in (self.state, self.env["XDG_RUNTIME_DIR"]):
            for where, _, names in os.walk(folder):
                for name in names:
                    path = os.path.join(where, name)
                    if not os.path.isfile(path):  # fish has a FIFO there
                        continue
                    try:
                        with open(path, "rb") as file:
                            yield os.path.relpath(path, self.folder), file.read()
                    except OSError:
                        continue

    def said(self):
        with open(self.errors.name, encoding="utf-8", errors="replace") as file:
            return file.read()

    def end(self):
        """Its exit code; afterwards none of ours is left."""
        code = self.link.close(20)
        deadline = time.monotonic() + 6
        while self.ours() and time.monotonic() < deadline:
            time.sleep(0.05)
        return code, self.ours()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if self.link.process.returncode is None:
            self.link.process.kill()
            self.link.process.wait()
        for pid in self.ours():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.errors.close()
        if kind is not None:
            sys.stderr.write(self.said()[-2000:])
        shutil.rmtree(self.folder, ignore_errors=True)
        return False


def check_refusal(result):
    error = result["structuredContent"]["error"]
    check.need(set(error) <= {"code", "message", "hint", "data"}, error)
    check.need(isinstance(error["message"], str) and len(error["message"]) > 10, error)
    check.need(error["message"][-1] in ".:)" or len(error["message"]) > 200, f"no sentence: {error['message']}")
    check.need(error.get("hint") is None or len(error["hint"]) > 5, error)
    check.need(isinstance(error.get("data", {}), dict), error)
    text = result["content"][0]["text"]
    check.need(text.startswith(error["message"]), text)
    check.need((error.get("hint") or "") in text, "the way out is in the text, too")
