#!/usr/bin/env python3
"""daemon_cli.py - the verbs as shells and people see them: words, exit codes, JSON, terminals.

Against a real daemon with folders of its own, and for what the daemon's apps do not do (progress,
questions, pictures, tasks) against the conformance server by TENON_BRIDGE_PORT.
"""
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import daemon  # noqa: E402

SUITE = "cli-daemon"
PLAN = os.path.join(os.path.dirname(__file__), "../data/plan-examples/02-mixed-replace.txt")
FIXTURES = os.path.join(daemon.BUILD, "conformance-server")
PATIENCE_S = 30


def step(name):
    return check.Step(SUITE, name)


def need_equal(is_, wanted, what=""):
    check.need(is_ == wanted, f"{what}: {is_!r}, not {wanted!r}")


def need_in(part, whole):
    check.need(part in whole, f"{part!r} is not in {whole[:600]!r}")


def one_json_line(text):
    check.need(text.endswith("\n") and text.count("\n") == 1, f"not one line: {text[:300]!r}")
    return json.loads(text)


def error_of(done):
    """The one JSON line of a mistake, of the shape that is promised; standard output is empty."""
    need_equal(done.stdout, "", "standard output")
    error = one_json_line(done.stderr)
    check.need(isinstance(error["error"], str) and isinstance(error["message"], str) and
               isinstance(error["retryable"], bool), done.stderr)
    return error


class Terminal:
    """A program on a terminal of its own, which is also where its questions are."""

    def __init__(self, argv, env, columns=60, stdout=None):
        self.screen, self.code = b"", None
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                if stdout is not None:
                    os.dup2(os.open(stdout, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 1)
                os.execve(argv[0], argv, {**env, "TERM": "xterm"})
            finally:
                os._exit(127)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def read(self, seconds=0.05):
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.screen += data
        return bool(data)

    def wait_for(self, text):
        deadline = time.monotonic() + PATIENCE_S
        while text.encode() not in self.screen:
            check.need(self.read() and time.monotonic() < deadline,
                       f"{text!r} did not come: {self.screen[-500:]!r}")

    def type(self, text):
        os.write(self.fd, text.encode())

    def end(self):
        """Its exit code; negative: the signal."""
        deadline = time.monotonic() + PATIENCE_S
        while self.read() and time.monotonic() < deadline:
            pass
        while self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > deadline:
                os.kill(self.pid, signal.SIGKILL)
            else:
                time.sleep(0.01)
        os.close(self.fd)
        return self.code

    def text(self):
        return self.screen.decode(errors="replace").replace("\r\n", "\n")


class Fixtures:
    """The conformance server; `env` points the verbs to it."""

    def __init__(self, home, *options):
        self.process = subprocess.Popen([FIXTURES, "--http", "127.0.0.1:0", *options],
                                        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                        encoding="utf-8")
        url = self.process.stderr.readline()
        self.port = re.search(r":(\d+)/", url).group(1)
        self.home = home
        self.env = {**home.env, "TENON_BRIDGE_PORT": self.port, "TENON_BRIDGE_TOKEN": "x" * 20}

    def tenon(self, *words, code=0, **more):
        done = subprocess.run([daemon.TENON, *words], env=self.env, capture_output=True, check=False,
                              encoding="utf-8", timeout=60, **{"stdin": subprocess.DEVNULL, **more})
        need_equal(done.returncode, code, f"exit of tenon {' '.join(words)}: {done.stderr[-300:]}")
        return done

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()


# ---- words ----

def test_help(home):
    with step("--help is help behind other words, too, and starts no daemon"):
        for words in (("serve", "terminal", "--help"), ("serve", "plan", "--http", "-h"), ("mcp", "plan", "--help"),
                      ("mcp", "--core", "--help")):
            done = home.tenon(*words)
            check.need(done.stdout.startswith(f"usage: tenon {words[0]}"), (words, done.stdout[:100]))
    with step("tenon --help lists every verb, and each has help with an example"):
        text = home.tenon("--help").stdout
        verbs = re.findall(r"^  ([a-z]+) ", text, re.M)
        for verb in ("up", "down", "status", "logs", "doctor", "call", "tools", "read", "watch",
                     "mcp", "serve", "plan", "completion", "help"):
            check.need(verb in verbs, f"{verb} is not in {verbs}")
        for verb in verbs:
            done = home.tenon(verb, "--help")
            check.need(done.stdout.startswith(f"usage: tenon {verb}"), done.stdout[:100])
            need_equal(done.stderr, "")
            need_equal(home.tenon("help", verb).stdout, done.stdout, verb)
        need_equal(home.tenon("help").stdout, text)
        need_equal(home.tenon("-h").stdout, text)
    with step("topics"):
        topics = re.findall(r"^  ([a-z-]+) ", home.tenon("help", "topics").stdout, re.M)
        check.need(len(topics) >= 4, topics)
        for topic in topics:
            check.need(len(home.tenon("help", topic).stdout) > 100, topic)
    with step("what was meant is suggested"):
        need_in('did you mean "status"', home.tenon("stauts", code=1).stderr)
        need_in('did you mean "exit-codes"', home.tenon("help", "exit", code=1).stderr)
        need_in("there is no option --jsno", home.tenon("status", "--jsno", code=1).stderr)
    with step("mistakes in words are one JSON line with --json"):
        need_equal(error_of(home.tenon("call", "--json", code=1))["error"], "USAGE")
        need_equal(error_of(home.tenon("read", "--json", code=1))["error"], "USAGE")
        need_equal(error_of(home.tenon("watch", "--json", code=1))["error"], "USAGE")
        need_equal(error_of(home.tenon("logs", "--json", "-n", "x", code=1))["error"], "USAGE")


# ---- no daemon ----

def test_no_daemon(home):
    with step("without a daemon: exit 4, and none is started by asking"):
        need_in("tenon up", home.tenon("status", code=4).stderr)
        error = error_of(home.tenon("status", "--json", code=4))
        need_equal((error["error"], error["retryable"]), ("NOT_RUNNING", True))
        for words in (("call", "plan.terraform_explain"), ("tools",), ("read", "tenon://status"),
                      ("watch", "tenon://status")):
            home.tenon(*words, "--no-start", code=4)
        home.tenon("doctor")
        home.tenon("logs")
        check.need(home.discovery_or_none() is None, "a daemon was started")
    with step("a bridge where nobody listens: exit 4"):
        env = {**home.env, "TENON_BRIDGE_PORT": "1", "TENON_BRIDGE_TOKEN": "x"}
        done = subprocess.run([daemon.TENON, "tools", "--json"], env=env, capture_output=True,
                              encoding="utf-8", timeout=30, check=False)
        need_equal(done.returncode, 4)
        need_equal(error_of(done)["error"], "SERVER_UNREACHABLE")
    with step("ST-010: half of the environment is a mistake"):
        env = {**home.env, "TENON_BRIDGE_PORT": "4444"}
        done = subprocess.run([daemon.TENON, "tools"], env=env, capture_output=True, check=False,
                              encoding="utf-8", timeout=30)
        need_equal(done.returncode, 4)
        need_in("TENON_BRIDGE_TOKEN", done.stderr)


# ---- the daemon ----

def test_daemon(home):
    with step("a call starts the daemon"):
        done = home.tenon("call", "plan.terraform_explain", f"plan_text=@{PLAN}",
                          "user_preference=count_only")
        need_equal((done.stdout, done.stderr), ("Summary: 7 changes\n", ""))
        home.discovery()
    with step("status --json has pid and ports"):
        status = one_json_line(home.tenon("status", "--json").stdout)
        found = home.discovery()
        need_equal((status["running"], status["pid"], status["httpPort"], status["bridgePort"],
                    status["url"]), (True, found["pid"], found["httpPort"], found["bridgePort"],
                                     found["url"]))
        need_equal(status["status"]["pid"], found["pid"])
        check.need(found["token"] not in json.dumps(status), "the token is shown")
    with step("status for people has the words of the status bar"):
        text = home.tenon("status").stdout
        need_in(f"MCP Listening :{found['httpPort']}\n", text)
        need_in("\n  apps      ", text)
        check.need(found["token"] not in text, "the token is shown")
    with step("tools: all, of an app, of one"):
        need_in("plan.terraform_explain ", home.tenon("tools").stdout)
        lines = home.tenon("tools", "plan").stdout.splitlines()
        check.need(len(lines) >= 9 and all(line.startswith("plan.") for line in lines), lines)
        listed = one_json_line(home.tenon("tools", "plan", "--json").stdout)
        need_equal(len(listed), len(lines))
        check.need(all(tool["app"] == "plan" and "inputSchema" in tool for tool in listed), listed)
        text = home.tenon("tools", "plan.terraform_explain").stdout
        need_in("usage: tenon call plan.terraform_explain", text)
        need_in("  user_preference=auto|count_only|full_summary  (auto)\n", text)
        need_equal(home.tenon("tools", "plan", "terraform_explain").stdout, text)
        one = one_json_line(home.tenon("tools", "terraform_explain", "--json").stdout)
        need_equal(one["name"], "terraform_explain")
    with step("a plain tool's name will do; a wrong app or tool will not"):
        need_equal(home.tenon("call", "terraform_explain", f"plan_text=@{PLAN}",
                              "user_preference=count_only").stdout, "Summary: 7 changes\n")
        need_in('did you mean "plan.terraform_explain"',
                home.tenon("call", "plan.terraform_explian", code=1).stderr)
        need_in('neither an app "kitchen"', home.tenon("call", "kitchen.sink", code=1).stderr)
        need_equal(error_of(home.tenon("call", "kitchen.sink", "--json", code=1))["error"],
                   "NOT_FOUND")
    with step("arguments: suggestions, types, standard input"):
        need_in('did you mean "plan_text"',
                home.tenon("call", "plan.terraform_explain", "plan_txt=x", code=1).stderr)
        need_in("temperature", home.tenon("call", "plan.terraform_explain", "plan_text=x",
                                          "temperature=5", code=1).stderr)
        with open(PLAN, encoding="utf-8") as file:
            plan = file.read()
        done = home.tenon("call", "plan.terraform_explain", "--args", "-",
                          "user_preference=count_only",
                          text=json.dumps({"plan_text": plan, "user_preference": "full_summary"}))
        need_equal(done.stdout, "Summary: 7 changes\n")
        done = home.tenon("call", "plan.terraform_explain", "plan_text=@-",
                          "user_preference=count_only", text=plan)
        need_equal(done.stdout, "Summary: 7 changes\n")
        home.tenon("call", "plan.terraform_explain", "--args", "{", code=1)
    with step("--json is the whole result as one line"):
        result = one_json_line(home.tenon("call", "plan.terraform_explain", f"plan_text=@{PLAN}",
                                          "user_preference=count_only", "--json").stdout)
        need_equal(result["structuredContent"]["total_changes"], 7)
    with step("a tool that fails: exit 5"):
        done = home.tenon("call", "plan.terraform_explain", "plan_text=nonsense", code=5)
        need_equal(done.stdout, "")
        need_in("no plan was found", done.stderr)
        error = error_of(home.tenon("call", "plan.terraform_explain", "plan_text=nonsense", "--json",
                                    code=5))
        need_equal((error["error"], error["result"]["isError"]), ("not_a_plan", True))
    with step("read: for people, for programs, into a file, and what is not there"):
        need_in('\n  "state": "listening"', home.tenon("read", "tenon://status").stdout)
        result = one_json_line(home.tenon("read", "tenon://status", "--json").stdout)
        need_equal(result["contents"][0]["uri"], "tenon://status")
        home.tenon("read", "tenon://status", "-o", home.path("status.json"))
        need_in("nope://x: ", home.tenon("read", "nope://x", code=5).stderr)
        with open(home.path("status.json"), encoding="utf-8") as file:
            need_equal(json.load(file)["pid"], home.discovery()["pid"])
        need_equal(error_of(home.tenon("read", "tenon://nothing", "--json", code=5))["retryable"],
                   False)
    with step("a wrong token: exit 3"):
        env = {**home.env, "TENON_BRIDGE_PORT": str(home.discovery()["bridgePort"]),
               "TENON_BRIDGE_TOKEN": "wrong"}
        done = subprocess.run([daemon.TENON, "tools", "--json"], env=env, capture_output=True,
                              encoding="utf-8", timeout=30, check=False)
        need_equal(done.returncode, 3)
        need_equal(error_of(done)["error"], "UNAUTHORIZED")
    with step("a reader that has seen enough is no mistake"):
        done = subprocess.run(f"'{daemon.TENON}' tools --json | head -c 1", env=home.env, shell=True,
                              capture_output=True, encoding="utf-8", timeout=30, check=False)
        need_equal((done.stdout, done.stderr), ("[", ""))


# ---- pictures, tasks, time ----

def test_content(home):
    with Fixtures(home) as server:
        with step("pictures: a sentence, or a file"):
            need_equal(server.tenon("call", "test_image_content").stdout,
                       "[image, image/png, 69 bytes; --output FILE saves it]\n")
            path = home.path("picture.png")
            need_in("image written to", server.tenon("call", "test_image_content", "-o", path).stdout)
            with open(path, "rb") as file:
                need_equal(file.read(8), b"\x89PNG\r\n\x1a\n")
            nowhere = home.path("nowhere", "picture.png")
            need_in(f"--output {nowhere}: there is no such folder",
                    server.tenon("call", "test_image_content", "-o", nowhere, code=5).stderr)
        with step("a tool's error text goes to standard error"):
            done = server.tenon("call", "test_error_handling", code=5)
            need_equal((done.stdout, done.stderr),
                       ("", "tenon call: This tool intentionally returns an error for testing\n"))
            need_equal(error_of(server.tenon("call", "test_error_handling", "--json",
                                             code=5))["error"], "TOOL_ERROR")
        with step("a task is followed to its end"):
            start = time.monotonic()
            done = server.tenon("call", "slow_compute", "seconds=1", "label=x")
            check.need(time.monotonic() - start >= 1 and done.stdout.strip(), done.stdout)
        with step("--timeout: exit 4, and said so"):
            start = time.monotonic()
            error = error_of(server.tenon("call", "slow_compute", "seconds=20", "--timeout", "1",
                                          "--json", code=4))
            need_equal((error["error"], error["retryable"]), ("TIMEOUT", True))
            check.need_soon(start, 5)
        with step("without a terminal a question is not asked"):
            done = server.tenon("call", "test_elicitation", "message=hello", code=5,
                                start_new_session=True)
            need_equal(done.stdout, "")
        with step("a server that goes away in the middle: exit 4, BRIDGE_DISCONNECTED"):
            call = subprocess.Popen([daemon.TENON, "call", "slow_compute", "seconds=20", "--json"],
                                    env=server.env, stdin=subprocess.DEVNULL, encoding="utf-8",
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(2.5)  # it is there, also where a start takes a second
            server.process.kill()
            out, err = call.communicate(timeout=20)
            need_equal((call.returncode, out), (4, ""))
            error = one_json_line(err)
            need_equal((error["error"], error["retryable"]), ("BRIDGE_DISCONNECTED", True))


# ---- terminals ----

def test_terminal(home):
    with Fixtures(home) as server:
        with step("a progress bar on a terminal, gone at the end, never wider than it"):
            seen = Terminal([daemon.TENON, "call", "test_tool_with_progress"], server.env, 40)
            need_equal(seen.end(), 0)
            check.need(b"\r\x1b[K[" in seen.screen, seen.screen)
            last = seen.screen.split(b"\r\x1b[K")
            need_equal(last[-1], b"All of it is done.\r\n")
            check.need(all(len(line) < 40 for line in last[1:-1]), last)
        with step("no bar with --quiet, nor into a pipe, nor on a terminal that cannot"):
            for words, env in ((["--quiet"], {}), ([], {"TERM": "dumb"})):
                seen = Terminal([daemon.TENON, "call", "test_tool_with_progress", *words],
                                {**server.env, **env})
                if env:
                    seen.end()
                    seen = Terminal(["/usr/bin/env", "TERM=dumb", daemon.TENON, "call",
                                     "test_tool_with_progress"], server.env)
                need_equal(seen.end(), 0)
                need_equal(seen.screen, b"All of it is done.\r\n")
            need_equal(server.tenon("call", "test_tool_with_progress").stderr, "")
        with step("Ctrl-C cancels the call at the server, and exits 130"):
            seen = Terminal([daemon.TENON, "call", "slow_compute", "seconds=30"], server.env)
            time.sleep(2.5)
            start = time.monotonic()
            seen.type("\x03")
            need_equal(seen.end(), 130)
            check.need_soon(start, 5)
            need_in("tenon call: interrupted", seen.text())
        with step("a form is asked on the terminal, though the result goes into a file"):
            out = home.path("answer.txt")
            seen = Terminal([daemon.TENON, "call", "test_elicitation", "message=Who is it?"],
                            server.env, stdout=out)
            seen.wait_for("Who is it?")
            seen.wait_for(": ")
            seen.type("ada\n")
            seen.wait_for("mail")
            seen.type("ada@example.org\n")
            need_equal(seen.end(), 0)
            with open(out, encoding="utf-8") as file:
                need_in("ada@example.org", file.read())
        with step("Ctrl-D gives the form up"):
            seen = Terminal([daemon.TENON, "call", "test_elicitation", "message=Who is it?"],
                            server.env)
            seen.wait_for(": ")
            seen.type("\x04")
            need_equal(seen.end(), 0)
            check.need("accept" not in seen.text(), seen.text())
        with step("defaults are taken by Enter"):
            seen = Terminal([daemon.TENON, "call", "test_elicitation_sep1034_defaults"], server.env)
            for _ in range(5):
                count = seen.screen.count(b"]: ")
                seen.wait_for("]: ")
                seen.type("\n")
                deadline = time.monotonic() + 2
                while seen.screen.count(b"]: ") == count and time.monotonic() < deadline:
                    if not seen.read():
                        break
            need_equal(seen.end(), 0)
            need_in("accept", seen.text())
        with step("MCP-287: control characters of a result do not reach a terminal"):
            raw = "a\x1b]0;title\x07b\x1b[2Jc\rd"
            arguments = json.dumps({"plan_text": "x", "user_reply": raw})
            seen = Terminal([daemon.TENON, "call", "no_such_tool_\x1b[2J", "--args", arguments],
                            server.env)
            need_equal(seen.end(), 1)
            check.need(b"\x1b[2J" not in seen.screen, seen.screen)


# ---- watching ----

class Watch:
    def __init__(self, env, *words):
        self.process = subprocess.Popen([daemon.TENON, "watch", *words], env=env, encoding="utf-8",
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)

    def line(self, stream):
        ready, _, _ = select.select([stream], [], [], PATIENCE_S)
        check.need(ready, "nothing came")
        return stream.readline()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


def test_watch(home):
    with Fixtures(home) as server:
        with step("watch prints a line for a change, and ends after N"):
            with Watch(server.env, "test://watched-resource", "-n", "1") as watch:
                need_in("watching 1 resource", watch.line(watch.process.stderr))
                server.tenon("call", "test_trigger_resource_update")
                need_in(" test://watched-resource: ", watch.line(watch.process.stdout))
                need_equal(watch.process.wait(PATIENCE_S), 0)
        with step("watch of what is not there: exit 5"):
            need_in("test://nothing: ", server.tenon("watch", "test://nothing", code=5).stderr)
    with step("watch --json has the new content"):
        with Watch(home.env, "tenon://status", "-n", "2", "--json") as watch:
            time.sleep(0.3)
            for _ in range(2):
                home.tenon("call", "plan.terraform_explain", "plan_text=x", code=5)
                change = json.loads(watch.line(watch.process.stdout))
                need_equal(change["uri"], "tenon://status")
                check.need(re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", change["time"]), change)
                need_equal(change["content"]["pid"], home.discovery()["pid"])
            need_equal(watch.process.wait(PATIENCE_S), 0)
    with step("watch finds the next daemon"):
        with Watch(home.env, "tenon://status", "-n", "1") as watch:
            need_in("watching 1 resource", watch.line(watch.process.stderr))
            home.tenon("down")
            home.tenon("up")
            need_in("tenon://status: ", watch.line(watch.process.stdout))
            need_equal(watch.process.wait(PATIENCE_S), 0)


# ---- logs ----

def test_logs(home):
    path = home.path("state", "tenon", "tenond.log")
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)

    def line(level, message, **more):
        return json.dumps({"time": "2026-01-02T03:04:05.678Z", "level": level, "area": "test",
                           "message": message, **more}) + "\n"

    with step("logs without a daemon: the last lines, those of the rotated file before them"):
        with open(path + ".1", "w", encoding="utf-8") as file:
            file.writelines(line("info", f"old {i}") for i in range(5))
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(line("info", f"new {i}", port=7) for i in range(3))
            file.write(line("error", "broken", why="a reason"))
            file.write("not JSON at all\n")
        text = home.tenon("logs", "-n", "7").stdout.splitlines()
        need_equal(len(text), 7)
        need_equal(text[0], "2026-01-02T03:04:05.678Z info    test: old 3")
        need_equal(text[2], "2026-01-02T03:04:05.678Z info    test: new 0 port=7")
        need_equal(text[5], '2026-01-02T03:04:05.678Z error   test: broken why="a reason"')
        need_equal(text[6], "not JSON at all")
        need_equal(home.tenon("logs", "-n", "0").stdout, "")
        need_equal(len(home.tenon("logs").stdout.splitlines()), 10)
    with step("logs --level and --json"):
        need_equal(home.tenon("logs", "--level", "warning", "-n", "1").stdout, "not JSON at all\n")
        done = home.tenon("logs", "--json", "-n", "2", "--level", "error").stdout.splitlines()
        need_equal(json.loads(done[0])["message"], "broken")
    with step("logs -f goes on through a rotation"):
        follow = subprocess.Popen([daemon.TENON, "logs", "-f", "-n", "1", "--json"], env=home.env,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  encoding="utf-8")
        try:
            need_equal(follow.stdout.readline(), "not JSON at all\n")
            with open(path, "a", encoding="utf-8") as file:
                file.write(line("info", "one")[:20])
                file.flush()
                time.sleep(0.5)
                file.write(line("info", "one")[20:])
            need_equal(json.loads(follow.stdout.readline())["message"], "one")
            with open(path, "a", encoding="utf-8") as file:
                file.write(line("info", "two"))
            os.rename(path, path + ".1")
            with open(path, "w", encoding="utf-8") as file:
                file.write(line("info", "three"))
            need_equal(json.loads(follow.stdout.readline())["message"], "two")
            need_equal(json.loads(follow.stdout.readline())["message"], "three")
        finally:
            follow.kill()
            follow.wait()
            follow.stdout.close()
    os.remove(path)
    os.remove(path + ".1")


# ---- doctor ----

def states(report):
    return {one["name"]: one["state"] for one in report["checks"]}


def test_doctor(home):
    with step("doctor of a sound daemon: every way in answers"):
        report = one_json_line(home.tenon("doctor", "--json").stdout)
        found = states(report)
        for name in ("runtime folder", "discovery file", "settings", "policy", "state folder", "disk",
                     "daemon", "/health", "bridge", "HTTP", "relay", "state", "port", "programs"):
            need_equal(found.get(name), "ok", name)
        check.need(report["result"] in ("ok", "note", "warn"), report["result"])
    with step("doctor looks for what studio runs"):
        folder = home.path("engines")
        os.makedirs(folder, exist_ok=True)
        engine = os.path.join(folder, "tofu")
        with open(engine, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho OpenTofu v1.9.4\necho on linux_amd64\n")
        os.chmod(engine, 0o755)
        empty = home.path("engines", "none")
        os.makedirs(empty, exist_ok=True)
        for settings, wanted in (
                ({"PATH": folder}, ("ok", "OpenTofu v1.9.4 (tofu)")),
                ({"PATH": empty}, ("note", "neither terraform nor tofu is on PATH")),
                ({"PATH": empty, "TENON_TERRAFORM": engine}, ("ok", "OpenTofu v1.9.4 (" + engine)),
                ({"PATH": folder, "TENON_TERRAFORM": "/bin/true"}, ("warn", "/bin/true does not answer"))):
            done = subprocess.run([daemon.TENON, "doctor", "--json"], env={**home.env, **settings},
                                  capture_output=True, encoding="utf-8", check=False, timeout=60)
            found = [one for one in json.loads(done.stdout)["checks"] if one["name"] == "studio engine"]
            check.need(len(found) == 1 and found[0]["state"] == wanted[0] and
                       found[0]["message"].startswith(wanted[1]), (settings, found))
    with step("the block for a bug report has no token, home folder or user name"):
        text = home.tenon("doctor").stdout
        block = re.search(r"\n```\n(.*)```\n$", text, re.S).group(1)
        for secret in (home.discovery()["token"], home.folder):
            check.need(secret not in block and secret not in report["report"], secret)
        need_equal(block.splitlines()[0], report["report"].splitlines()[0])
    with step("doctor names what is wrong: modes, settings, policy"):
        config = home.path("config", "tenon")
        os.makedirs(config, exist_ok=True)
        os.chmod(home.runtime("tenond.json"), 0o644)
        with open(os.path.join(config, "config.json"), "w", encoding="utf-8") as file:
            file.write('{"http": {"prot": 1}}')
        try:
            report = one_json_line(home.tenon("doctor", "--json", code=5).stdout)
            found = states(report)
            need_equal((found["discovery file"], found["settings"], report["result"]),
                       ("warn", "fail", "fail"))
            remedies = {one["name"]: one["remedy"] for one in report["checks"]}
            check.need(remedies["settings"] and remedies["discovery file"], remedies)
        finally:
            os.remove(os.path.join(config, "config.json"))
            os.chmod(home.runtime("tenond.json"), 0o600)
        with open(os.path.join(config, "policy.json"), "w", encoding="utf-8") as file:
            file.write('{"default": "perhaps"}')
        os.chmod(os.path.join(config, "policy.json"), 0o600)
        try:
            report = one_json_line(home.tenon("doctor", "--json", code=5).stdout)
            need_equal(states(report)["policy"], "fail")
        finally:
            os.remove(os.path.join(config, "policy.json"))
    with step("doctor tells every fault of the settings, not the first alone"):
        with open(os.path.join(config, "config.json"), "w", encoding="utf-8") as file:
            file.write('{"http": {"prot": 1},\n"log": {"level": "loud"}}')
        try:
            report = one_json_line(home.tenon("doctor", "--json", code=5).stdout)
            faults = [one["message"] for one in report["checks"] if one["name"] == "settings"]
            need_equal(len(faults), 2)
            need_in("config.json:1: http.prot", faults[0])
            need_in("config.json:2: log.level", faults[1])
        finally:
            os.remove(os.path.join(config, "config.json"))
    with step("doctor sees that the daemon was killed, and leaves everything as it is"):
        pid = home.discovery()["pid"]
        os.kill(pid, signal.SIGKILL)
        daemon.wait_until(lambda: not daemon.is_alive(pid), "its end")
        report = one_json_line(home.tenon("doctor", "--json").stdout)
        need_equal(states(report)["daemon"], "warn")
        check.need(home.discovery_or_none() is None, "a daemon was started")


def test_closed(home):
    """Whoever starts us may have closed what everybody has: some supervisors, and careless scripts."""
    def run(words, code, errors=""):
        done = subprocess.run(["sh", "-c", f"exec {daemon.TENON} {words}"], env=home.env, timeout=60,
                              capture_output=True, encoding="utf-8", check=False)
        need_equal(done.returncode, code, f"{words}: {done.stderr[-300:]}")
        need_in(errors, done.stderr)
        return done.stdout

    with step("standard input, output or error closed"):
        need_in("plan.terraform_explain", run("tools <&-", 0))
        need_in("plan.terraform_explain", run("tools 2>&-", 0))
        run("tools >&-", 1, "standard output cannot be written")
        need_equal(run("mcp <&-", 0), "")
        need_equal(run("serve plan <&-", 0), "")
        run("down <&- >&- 2>&-", 0)
        run("up <&- 2>&- >/dev/null", 0)
        check.need(home.discovery()["pid"], "a daemon")


def test_off():
    with daemon.Home(TENON_MCP_ENABLED="false") as home:
        home.tenon("up")
        with step("MCP switched off: status says so, calls and reads are SERVER_DISABLED"):
            check.need(home.tenon("status").stdout.startswith("MCP Off\n"), "the pill")
            need_equal(one_json_line(home.tenon("status", "--json").stdout)["mcpEnabled"], False)
            for words in (("call", "plan.terraform_explain", "plan_text=x"),
                          ("read", "tenon://status")):
                error = error_of(home.tenon(*words, "--json", code=5))
                need_equal((error["error"], error["retryable"]), ("SERVER_DISABLED", True))
        with step("MCP switched off: doctor says what to do, and takes the 503 for no fault"):
            report = one_json_line(home.tenon("doctor", "--json").stdout)
            need_equal((states(report)["state"], report["result"]), ("warn", "warn"))
            check.need("fail" not in states(report).values(), states(report))


def main():
    test_off()
    with daemon.Home() as home:
        test_help(home)
        test_no_daemon(home)
        test_daemon(home)
        test_content(home)
        test_terminal(home)
        test_watch(home)
        test_doctor(home)
        test_closed(home)
    with daemon.Home() as home:
        test_logs(home)
    return 1 if check.failures else 0


sys.exit(main())
