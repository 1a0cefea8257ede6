#!/usr/bin/env python3
"""serve_terminal.py TENON - "tenon serve terminal": options, settings, files, and what it refuses to
start with; no secret of its environment can be read by others. terminal.md 10, 10.3, 12.1, 12.6.
"""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402

SUITE = "serve-terminal"
TENON = sys.argv[1]
FOLDER = tempfile.mkdtemp()
ROOT = os.path.join(FOLDER, "root")
CANARY = "canary-8d1f-canary"
NOBODY = 65534
os.mkdir(ROOT)
os.chmod(FOLDER, 0o755)
ENV = {name: value for name, value in os.environ.items() if not name.startswith(("TENON_", "XDG_", "OPENAI"))}
ENV |= {"HOME": FOLDER, "XDG_CONFIG_HOME": os.path.join(FOLDER, "config"),
        "XDG_STATE_HOME": os.path.join(FOLDER, "state"), "XDG_RUNTIME_DIR": os.path.join(FOLDER, "run")}
os.mkdir(ENV["XDG_RUNTIME_DIR"], 0o700)


def put(name, text):
    path = os.path.join(FOLDER, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


BROKEN = put("broken.json", '{\n  "terminal": {\n    "max_sessions": 0\n  }\n}\n')
NO_JSON = put("no.json", '{\n  "terminal": [\n')
POLICY = put("policy-broken.json", '{\n  "rules": [\n    {"id": "x"}\n  ]\n}\n')
FINE = put("fine.json", '{"terminal": {"max_sessions": 7}}')
FILE = put("file", "")
NOTHING = os.path.join(FOLDER, "nothing")
HTTP = ["terminal", "--http", "127.0.0.1:0"]
REMOTE = ["terminal", "--http", "0.0.0.0:0", "--host", "a.example", "--root", ROOT]
AS_ROOT = os.geteuid() == 0
taken = socket.create_server(("127.0.0.1", 0))
PORT = taken.getsockname()[1]

# Exit code, words of the command line, what is said behind "tenon serve: ".
REFUSED = [
    # 12.6: a named file that is missing or malformed is a start error: exit 2, file:line.
    (2, ["terminal", "--config", NOTHING], "nothing: there is no such file"),
    (2, ["terminal", "--config", BROKEN], "broken.json:3: terminal.max_sessions: 0; send 1 to 10000"),
    (2, ["terminal", "--config", NO_JSON], "no.json:3: "),
    (2, ["terminal", "--policy", NOTHING], "policy.json: there is no such file"),
    (2, ["terminal", "--policy", POLICY], "policy.json:3: "),
    (2, ["terminal", "--policy", FOLDER], "policy.json: it cannot be read, or is too long"),
    (2, ["plan", "--config", NOTHING], "nothing: there is no such file"),
    # 12.5: every key, by its own name or as terminal.KEY.
    (1, ["terminal", "--set", "max_sessions=0"], "--set terminal.max_sessions: 0; send 1 to 10000"),
    (1, ["terminal", "--set", "terminal.max_sessions=many"],
     "--set terminal.max_sessions: many; send a whole number from 1 to 10000"),
    (1, ["terminal", "--set", "max_sesions=1"],
     "--set max_sesions: there is no such setting; did you mean terminal.max_sessions?"),
    (1, ["terminal", "--set", "max_sessions"], "--set needs KEY=VALUE, got max_sessions"),
    (1, ["terminal", "--log-level", "loud"],
     '--set log.level: "loud"; send one of debug, info, notice, warning, error'),
    (1, ["terminal", "--backend", "tmux"], '--set terminal.backend: "tmux"; send one of pty, none'),
    (1, ["terminal", "--persist", "yes"], '--set terminal.persist: "yes"; send one of host, none'),
    (1, ["terminal", "--root", NOTHING], f"--root: {NOTHING}: there is no such directory"),
    (1, ["terminal", "--root", FILE], f"--root: {FILE} is not a directory"),
    (1, ["plan", "--root", ROOT], "--root is for the app terminal"),
    (1, ["plan", "--persist", "none"], "--persist is for the app terminal"),
    # 10.3: network transports refuse to start without roots.
    (1, HTTP, "the app terminal needs the directories that commands of network clients may start in "
     "(--root DIR, terminal.roots)"),
    # 12.1: TLS, or a proxy that has ended it. 10: never as root.
    (1, REMOTE + ["--allow-remote"], "as root the app terminal is not served to other machines; "
     if AS_ROOT else "what is typed into the app terminal would cross the network in the open; "),
    (1, REMOTE, "other machines can reach 0.0.0.0: --allow-remote is missing"),
    (1, HTTP + ["--behind-proxy", "--root", ROOT],
     "--allow-remote: an address that others can reach is missing; send --http 0.0.0.0:8080"),
    # A taken port is a mistake that the caller can mend.
    (1, ["terminal", "--http", f"127.0.0.1:{PORT}", "--root", ROOT],
     f"bind listener: another program has port {PORT}; choose another one"),
]


def start(words, env=ENV, **options):
    return subprocess.Popen([TENON, "serve", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env=env, encoding="utf-8", **options)


def refusals():
    for number, (code, words, sentence) in enumerate(REFUSED):
        with check.Step(SUITE, f"{number}: {sentence}"):
            done = subprocess.run([TENON, "serve", *words], stdin=subprocess.DEVNULL, timeout=20, env=ENV,
                                  capture_output=True, check=False, encoding="utf-8")
            first = done.stderr.split("\n", 1)[0]
            wanted = "tenon serve: " + sentence
            check.need(first.startswith(wanted) if wanted.endswith(" ") else first == wanted, done.stderr)
            check.need(done.returncode == code, done.returncode)
            check.need(not done.stdout, done.stdout)


class Served:
    """A conversation on standard input and output."""

    def __init__(self, *words, env=ENV, **options):
        self.process = start(["terminal", *words], env, **options)
        self.count = 0
        self.ask("initialize", protocolVersion="2025-11-25", capabilities={},
                 clientInfo={"name": "t", "version": "1"})

    def ask(self, method, **params):
        self.count += 1
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": self.count, "method": method,
                                             "params": params}) + "\n")
        self.process.stdin.flush()
        while True:
            line = self.process.stdout.readline()
            check.need(line, "it has ended: " + (self.process.stderr.read() if not line else ""))
            message = json.loads(line)
            if message.get("id") == self.count:
                return message

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.code = self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError("it does not end with its input") from None


def accepted():
    with check.Step(SUITE, "settings from flags, variables and the file; it ends with its input (12.4, 12.6)"):
        for words in ([], ["--config", FINE], ["--set", "max_sessions=200", "--set", "terminal.rate_per_minute=0"],
                      ["--root", ROOT, "--root", FOLDER], ["--backend", "none"], ["--persist", "none"],
                      ["--log-level", "debug"]):
            with Served(*words) as served:
                check.need("result" in served.ask("ping"), words)
            check.need(served.code == 0, served.code)
    with check.Step(SUITE, "a broken file of the user's own is told, too, and not passed over"):
        path = put("config/tenon/config.json", '{"terminal": {"persist": "sometimes"}}\n')
        done = subprocess.run([TENON, "serve", "terminal"], stdin=subprocess.DEVNULL, timeout=20, env=ENV,
                              capture_output=True, check=False, encoding="utf-8")
        os.unlink(path)
        check.need(done.returncode == 2 and "config.json:1: terminal.persist" in done.stderr, done)
    with check.Step(SUITE, "two cannot keep the same sessions"):
        with Served("--persist", "host"):
            done = subprocess.run([TENON, "serve", "terminal", "--persist", "host"], env=ENV, timeout=20,
                                  stdin=subprocess.DEVNULL, capture_output=True, check=False, encoding="utf-8")
            check.need(done.returncode == 1 and "another tenon serve" in done.stderr, done)


def over_http():
    with check.Step(SUITE, "over HTTP with a root; the token is not in the command line (10.3)"):
        child = start(["terminal", "--http", "127.0.0.1:0", "--root", ROOT, "--token", CANARY])
        try:
            check.need(child.stderr.readline().startswith("listening on http://127.0.0.1:"), "no listener")
            with open(f"/proc/{child.pid}/cmdline", "rb") as file:
                check.need(CANARY.encode() not in file.read(), "the token is in the command line")
        finally:
            child.send_signal(signal.SIGTERM)
            check.need(child.wait(20) == 0, "ends in order")
    if not AS_ROOT:
        return
    with check.Step(SUITE, "another user may, behind a proxy (12.1)"):
        place = tempfile.mkdtemp()
        os.chown(place, NOBODY, NOBODY)
        env = ENV | {"HOME": place, "XDG_CONFIG_HOME": place, "XDG_STATE_HOME": place, "XDG_RUNTIME_DIR": place}
        words = [*REMOTE, "--token", CANARY]
        for more, sentence in ((["--allow-remote"], "in the open"), (["--behind-proxy"], "listening on ")):
            child = start([*words, *more], env, user=NOBODY, group=NOBODY, extra_groups=[])
            line = child.stderr.readline()
            child.terminate()
            child.wait(20)
            check.need(sentence in line, line)
        shutil.rmtree(place)


def environ_of(pid):
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return file.read()
    except PermissionError:
        return b""


def secrets():
    env = ENV | {"GITHUB_TOKEN": CANARY, "MY_PASSWORD": CANARY, "OPENAI_API_KEY": CANARY, "PLAIN": "seen",
                 "DATABASE": f"postgres://user:{CANARY}@db/x"}
    with check.Step(SUITE, "secrets are not in the server's environment block (10.3)"):
        with Served("--backend", "none", env=env) as served:
            pid = served.process.pid
            found = environ_of(pid)
            check.need(CANARY.encode() not in found, found)
            if AS_ROOT:
                check.need(b"PLAIN=seen" in found and b"GITHUB_TOKEN=\0" in found, found)
            # Not dumpable: /proc belongs to root then, and no debugger of the same user gets in.
            check.need(os.stat(f"/proc/{pid}/environ").st_uid == 0, "it is dumpable")
    if AS_ROOT:
        with check.Step(SUITE, "the same user reads neither memory nor environment of the server (10.3)"):
            place = tempfile.mkdtemp()
            os.chown(place, NOBODY, NOBODY)
            child = start(["terminal"], env | {"HOME": place, "XDG_CONFIG_HOME": place, "XDG_STATE_HOME": place,
                                               "XDG_RUNTIME_DIR": place},
                          user=NOBODY, group=NOBODY, extra_groups=[])
            child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
            child.stdin.flush()
            child.stdout.readline()
            for name in ("environ", "mem"):
                done = subprocess.run(["cat", f"/proc/{child.pid}/{name}"], user=NOBODY, group=NOBODY,
                                      extra_groups=[], capture_output=True, check=False)
                check.need(b"Permission denied" in done.stderr, (name, done))
            child.stdin.close()
            child.wait(20)
            shutil.rmtree(place)
    with check.Step(SUITE, "plan finds its key all the same"):
        served = start(["plan", "terminal", "--backend", "none"], env)
        try:
            served.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-11-25", "capabilities": {},
                "clientInfo": {"name": "t", "version": "1"}}}) + "\n")
            served.stdin.write('{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n')
            served.stdin.flush()
            served.stdout.readline()
            tools = {tool["name"]: tool for tool in json.loads(served.stdout.readline())["result"]["tools"]}
            # With a key a model on another machine is asked: that is what the annotation says.
            check.need(tools["terraform_explain"]["annotations"]["openWorldHint"], tools["terraform_explain"])
        finally:
            served.stdin.close()
            served.wait(20)


def sessions():
    """What a command sees, once commands run."""
    env = ENV | {"GITHUB_TOKEN": CANARY, "PLAIN": CANARY, "TENON_CONSENT": "allow"}
    with Served("--root", ROOT, env=env) as served:
        tools = [tool["name"] for tool in served.ask("tools/list").get("result", {"tools": []})["tools"]]
        if "execute_command" not in tools:
            return
        with check.Step(SUITE, "a command sees no secret, here or in /proc of the server (10.3)"):
            pid = served.process.pid
            call = served.ask("tools/call", name="execute_command", arguments={
                "command": f"env; cat /proc/{pid}/environ | tr '\\0' '\\n'; pwd"})
            text = call["result"]["content"][0]["text"]
            check.need(CANARY not in text, text)
            check.need("TENON_TERMINAL=1" in text and ROOT in text, text)
        with check.Step(SUITE, "roots: where commands start, and that this is all (10.3)"):
            call = served.ask("tools/call", name="execute_command", arguments={"command": "pwd", "cwd": "/"})
            error = call["result"]["structuredContent"]["error"]
            check.need(error["code"] == "cwd_not_allowed", call)
            check.need("not what they reach" in error["message"], error)


def sandboxed():
    """Real sessions in the sandbox, as a user whom it holds."""
    place = tempfile.mkdtemp()
    env = ENV | {"HOME": place, "XDG_CONFIG_HOME": place, "XDG_STATE_HOME": place, "XDG_RUNTIME_DIR": place,
                 "TENON_CONSENT": "allow"}
    options = {}
    if AS_ROOT:
        os.chown(place, NOBODY, NOBODY)
        os.chown(ROOT, NOBODY, NOBODY)
        options = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    with Served("--root", ROOT, "--set", "sandbox=bubblewrap", env=env, **options) as served:
        def call(name, **arguments):
            return served.ask("tools/call", name=name, arguments=arguments)["result"]

        made = call("create_session", shell="sh")
        error = made["structuredContent"].get("error", {})
        state = made["structuredContent"].get("session", {}).get("state")
        if error.get("code") == "sandbox_unavailable" or state == "failed":
            print("serve-terminal: skipped: the sandbox does not work here", file=sys.stderr)
            return
        with check.Step(SUITE, "sessions in the sandbox: directories, exit codes, and who a signal spares (10)"):
            session = made["structuredContent"]["session"]
            check.need(session["sandbox"] == "bubblewrap", session)
            done = call("execute_command", command="cd /usr; touch escaped")["structuredContent"]
            check.need(done["exit_code"] == 1 and done["cwd"] == "/usr", done)
            # The shell and the sandbox around it are spared; a helper of its prompt may be hit.
            spared = call("signal", session_id=session["id"], signal="KILL")["structuredContent"]
            check.need(spared["exit"] is None, spared)
            # However long the shell takes to come back to its prompt, it does.
            waited = call("wait_for", session_id=session["id"], until="exit")["structuredContent"]
            check.need(waited["matched"], waited)
            listed = call("list_sessions")["structuredContent"]["sessions"]
            check.need([s["state"] for s in listed if s["id"] == session["id"]] == ["idle"], listed)
            done = call("execute_command", command="ls -A ~; echo $TENON_TERMINAL; exit_code=7; (exit 7)")
            done = done["structuredContent"]
            check.need(done["exit_code"] == 7 and "1\n" in done["output"] + "\n", done)
    with check.Step(SUITE, "without the sandbox nothing is started where it is asked for (10)"):
        if AS_ROOT:
            with Served("--root", ROOT, "--set", "sandbox=bubblewrap", env=ENV | {"TENON_CONSENT": "allow"}) as served:
                done = served.ask("tools/call", name="create_session", arguments={})["result"]
                check.need(done["structuredContent"]["error"]["code"] == "sandbox_unavailable", done)
                check.need("as root" in done["structuredContent"]["error"]["message"], done)
    shutil.rmtree(place)


refusals()
accepted()
over_http()
secrets()
sessions()
sandboxed()
shutil.rmtree(FOLDER)
sys.exit(check.failures > 0)
