#!/usr/bin/env python3
"""drive.py BUILD INJECT_LIBRARY - fails the 1st, 2nd, 3rd ... call of each kind in each case.

A case is a command with its input, or a conversation. Whatever fails, the program must not crash,
leak, hang, or present a wrong answer as a right one: it ends with an error that says so, or it gives
the same answer as without the fault. A transfer that moves only a part must not be noticed at all.

FAULTS_QUICK=1 tries every early call and then ever larger steps. FAULTS_ONLY=TEXT picks cases.
"""
import concurrent.futures
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse

BUILD, LIBRARY = (os.path.abspath(argument) for argument in sys.argv[1:3])
QUICK = os.environ.get("FAULTS_QUICK") == "1"
ONLY = os.environ.get("FAULTS_ONLY", "")
TIMEOUT_S = 60
NTH_MAX = 100_000
# Exit codes that the sanitizers and the C library use when they stop a program.
ASAN_EXIT = 99
REPORT = re.compile(r"ERROR: \w+Sanitizer|runtime error:|Assertion|assert", re.I)
RANDOM = re.compile(r"\b(pln|cnv)_[a-z2-7]{26}\b")
TOKEN = "faults-0123456789abcdef"
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
EXAMPLES = os.path.join(ROOT, "tests/data/plan-examples")


def example(name):
    with open(os.path.join(EXAMPLES, name), "rb") as file:
        return file.read()


def message(number, method, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def conversation():
    """What a legacy assistant says: handshake, lists, two calls, a resource, a prompt, an error."""
    plan = example("02-mixed-replace.txt").decode()
    hello = {"protocolVersion": "2025-11-25", "capabilities": {},
             "clientInfo": {"name": "faults", "version": "1"}}
    return [
        message(1, "initialize", **hello),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        message(2, "tools/list"),
        message(3, "tools/call", name="terraform_parse", arguments={"plan_text": plan}),
        message(4, "tools/call", name="terraform_explain",
                arguments={"plan_text": plan, "user_preference": "full_summary"}),
        message(5, "resources/templates/list"),
        message(6, "prompts/get", name="explain_terraform_plan", arguments={"plan_text": plan}),
        message(7, "tools/call", name="terraform_parse", arguments={"plan_text": "no plan"}),
        message(8, "tools/call", name="terraform_parse", arguments={}),
    ]


class Outcome:
    def __init__(self, code, output, errors, hung=False):
        self.code, self.output, self.errors, self.hung = code, output, errors, hung

    def broken(self):
        """Why this run is a failure whatever was injected; empty if it is not."""
        if self.hung:
            return "hangs"
        if self.code < 0:
            return f"ended by signal {signal.Signals(-self.code).name}: {self.errors[-300:]}"
        if self.code == ASAN_EXIT or REPORT.search(self.errors):
            return self.errors[:1500]
        return ""


def environment(work, fault):
    env = dict(os.environ)
    env.update(
        ASAN_OPTIONS=f"verify_asan_link_order=0:detect_leaks=1:exitcode={ASAN_EXIT}:"
                     "allocator_may_return_null=1:handle_abort=1",
        UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1", LSAN_OPTIONS="report_objects=0",
        LD_PRELOAD=LIBRARY, XDG_STATE_HOME=work, XDG_CONFIG_HOME=work, XDG_RUNTIME_DIR=work,
        HOME=work)
    for key, value in fault.items():
        env[f"TENON_FAULT_{key}"] = value
    return env


class Command:
    """A program that reads standard input to its end."""

    def __init__(self, name, program, args, text=b"", same=None):
        self.name, self.program, self.args, self.text = name, program, args, text
        self.is_same = same or (lambda good, bad: good == bad)

    def run(self, work, fault):
        line = [os.path.join(BUILD, self.program), *self.args]
        process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=environment(work, fault))
        try:
            output, errors = process.communicate(self.text, timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            output, errors = process.communicate()
            return Outcome(0, "", errors.decode(errors="replace"), hung=True)
        text = RANDOM.sub(r"\1_", output.decode(errors="replace"))
        return Outcome(process.returncode, text, errors.decode(errors="replace"))


def answers_of(text):
    """Answers by id; None when a line is not JSON (only the last may be cut off)."""
    answers = {}
    lines = text.split("\n")
    for line in lines[:-1]:
        try:
            parsed = json.loads(line)
        except ValueError:
            return None
        if "id" in parsed and "method" not in parsed:
            answers[parsed["id"]] = parsed
    return answers


def same_answers(good, bad):
    """Each answer is the one without the fault, or says that something failed."""
    good, bad = answers_of(good), answers_of(bad)
    if bad is None:
        return False
    for number, answer in bad.items():
        failed = "error" in answer or answer.get("result", {}).get("isError")
        if not failed and answer != good.get(number):
            return False
    return True


class Server:
    """An HTTP server that is asked the conversation, each message once, and then told to end."""

    def __init__(self, name, program, args):
        self.name, self.program, self.args = name, program, args
        self.is_same = same_answers

    def run(self, work, fault):
        errors_path = tempfile.mktemp(dir=work)
        with open(errors_path, "wb") as errors_file:
            process = subprocess.Popen([os.path.join(BUILD, self.program), *self.args],
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=errors_file, env=environment(work, fault))
        deadline = time.monotonic() + TIMEOUT_S
        url = None
        while time.monotonic() < deadline and process.poll() is None and not url:
            with open(errors_path, encoding="utf-8", errors="replace") as file:
                found = re.search(r"^listening on (\S+)\n", file.read(), re.M)
            url = found and found.group(1)
            time.sleep(0.01)
        hung = False
        output = ""
        # Where every call fails from then on nobody can be served; the server must still end.
        is_lost = fault.get("KIND") == "io" and fault.get("MODE") == "on"
        try:
            output = self.ask(url, 1 if is_lost else 20) if url else ""
        except TimeoutError:
            hung = not is_lost
        if process.poll() is None:
            process.terminate()
        try:
            process.wait(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            hung = True
            process.kill()
            process.wait()
        with open(errors_path, encoding="utf-8", errors="replace") as file:
            errors = file.read()
        os.unlink(errors_path)
        return Outcome(process.returncode, RANDOM.sub(r"\1_", output), errors, hung)

    @staticmethod
    def ask(url, timeout_s):
        address = urllib.parse.urlsplit(url)
        session = {}
        lines = []
        for body in conversation():
            if not session and body.get("id") == 2:
                break  # the handshake is lost, and with it what makes the answers comparable
            connection = http.client.HTTPConnection(address.hostname, address.port, timeout=timeout_s)
            headers = {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}",
                       "Accept": "application/json, text/event-stream", **session}
            try:
                connection.request("POST", address.path, json.dumps(body), headers)
                answer = connection.getresponse()
                text = answer.read().decode()
                name = answer.getheader("Mcp-Session-Id")
                if name:
                    session = {"Mcp-Session-Id": name, "Mcp-Protocol-Version": "2025-11-25"}
                for line in text.split("\n"):
                    if line.startswith("data: {"):
                        line = line[6:]
                    if line.startswith("{"):
                        lines.append(line)
            except TimeoutError:
                raise  # neither an answer nor the end of the connection
            except (OSError, http.client.HTTPException):
                pass  # a connection may be lost; the server may not
            finally:
                connection.close()
        return "\n".join(lines) + "\n"


def cases():
    plan = example("02-mixed-replace.txt")
    lines = "".join(json.dumps(one) + "\n" for one in conversation()).encode()
    path = os.path.join(EXAMPLES, "09-same-plan.json")
    every = [
        Command("explain from a pipe", "tenond", ["plan", "explain", "--full"], plan),
        Command("explain through tenon", "tenon", ["plan", "explain", "--full"], plan),
        Command("explain a file as Markdown", "tenond",
                ["plan", "explain", "--format", "markdown", "--full", path]),
        Command("parse as JSON", "tenond", ["plan", "parse", "--format", "json"], plan),
        Command("risk as SARIF", "tenond", ["plan", "risk", "--format", "sarif"], plan),
        Command("best of three", "tenond", ["plan", "best-of", "-n", "3"], plan),
        Command("compare", "tenond", ["plan", "compare", path, path]),
        Command("a conversation on stdio", "tenond", ["--foreground", "plan"], lines, same_answers),
        Command("tiny-server on stdio", "tiny-server", [], lines, same_answers),
        Server("a conversation over HTTP", "tenond",
               ["--foreground", "plan", "--http", "127.0.0.1:0", "--token", TOKEN]),
    ]
    return [case for case in every if ONLY in case.name]


def numbers():
    number = 1
    while number < NTH_MAX:
        yield number
        number += 1 if not QUICK or number < 12 else number // 4


class Sweep:
    """One case, one kind of fault: N = 1, 2, 3 ... until the program makes fewer calls than N."""

    def __init__(self, case, kind, mode, good):
        self.case, self.kind, self.mode, self.good = case, kind, mode, good
        self.runs = 0
        self.faults = []

    def name(self):
        return f"{self.case.name}: {self.kind} {self.mode}"

    def run_one(self, number):
        """False when the fault did not happen any more."""
        with tempfile.TemporaryDirectory() as work:
            hit = os.path.join(work, "hit")
            outcome = self.case.run(work, {
                "KIND": self.kind, "MODE": self.mode, "NTH": str(number), "HIT": hit,
                "PROGRAM": self.case.program})
            try:
                with open(hit, encoding="utf-8") as file:
                    call = file.readline().strip()
            except FileNotFoundError:
                return False
        why = outcome.broken()
        if not why and self.mode == "short":
            if outcome.code != self.good.code or outcome.output != self.good.output:
                why = f"a short transfer changed the answer (exit {outcome.code})"
        elif not why and outcome.code == self.good.code and not self.case.is_same(
                self.good.output, outcome.output):
            why = f"exit {outcome.code}, but the answer is another: {outcome.output[:200]!r}"
        self.runs += 1
        if why:
            self.faults.append(f"N={number} ({call}{self.place(number)}): {why}")
        return True

    def place(self, number):
        """Where in our code the fault was injected, from the sanitizer's trace; outermost last."""
        with tempfile.TemporaryDirectory() as work:
            outcome = self.case.run(work, {
                "KIND": self.kind, "MODE": self.mode, "NTH": str(number), "TRACE": "1",
                "PROGRAM": self.case.program})
        trace = outcome.errors.split("\n\n")[0]
        frames = re.findall(r"#\d+ \S+ in (\w+) \S*?((?:src|examples)/\S+:\d+)", trace)
        ours = [frame for frame in frames if "libsanitizer" not in frame[1]]
        return "".join(f" < {name} {place}" for name, place in ours[:7])

    def run(self):
        for number in numbers():
            if not self.run_one(number) or len(self.faults) >= 5:
                break
        return self


def report(passed, name, why=""):
    path = os.environ.get("TENON_RESULTS")
    flat = re.sub(r"\s+", " ", why)
    if path:
        with open(path, "a", encoding="utf-8") as file:
            print("passed" if passed else "failed", "faults", name, flat[:400], sep="\t", file=file)
    print(f"{'ok' if passed else 'FAILED'} {name}{': ' + why if why else ''}", flush=True)


def main():
    sweeps = []
    for case in cases():
        if not os.path.exists(os.path.join(BUILD, case.program)):
            report(False, case.name, f"{case.program} is not built")
            continue
        with tempfile.TemporaryDirectory() as work:
            good = case.run(work, {})
        why = good.broken()
        report(not why, f"{case.name}: without a fault", why)
        if why:
            continue
        for kind, mode in (("alloc", "once"), ("alloc", "on"), ("io", "once"), ("io", "on"),
                           ("io", "short"), ("file", "once")):
            sweeps.append(Sweep(case, kind, mode, good))
    bad = False
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for sweep in pool.map(Sweep.run, sweeps):
            bad |= bool(sweep.faults)
            if sweep.runs == 0:
                print(f"-- {sweep.name()}: makes no such call", flush=True)
                continue
            report(not sweep.faults, f"{sweep.name()} ({sweep.runs} runs)", " | ".join(sweep.faults))
    return 3 if bad else 0  # 1 is what Python itself says when it breaks


sys.exit(main())
