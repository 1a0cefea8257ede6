"""cases.py - what is run with a fault in it: commands with their input, and a server over HTTP."""
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
TIMEOUT_S = 60
# Exit codes that the sanitizers and the C library use when they stop a program.
ASAN_EXIT = 99
SUPPRESSED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lsan.supp")
REPORT = re.compile(r"ERROR: \w+Sanitizer|runtime error:|Assertion|assert", re.I)
RANDOM = re.compile(r"\b(pln|cnv)_(?:[0-9a-f]{8})?[a-z2-7]{26}\b")
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
    def __init__(self, code, output, errors, hung=""):
        self.code, self.output, self.errors, self.hung = code, output, errors, hung
        self.why = ""  # a failure that only the case itself can see

    def broken(self):
        """Why this run is a failure whatever was injected; empty if it is not."""
        if self.hung:
            return f"hangs: {self.hung}"
        if self.code < 0:
            return f"ended by signal {signal.Signals(-self.code).name}: {self.errors[-300:]}"
        if self.code == ASAN_EXIT or REPORT.search(self.errors):
            return self.errors[:1500]
        return self.why


def environment(work, fault):
    env = dict(os.environ)
    env.update(
        ASAN_OPTIONS=f"verify_asan_link_order=0:detect_leaks=1:exitcode={ASAN_EXIT}:"
                     "allocator_may_return_null=1:handle_abort=1",
        UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1", LSAN_OPTIONS=f"report_objects=0:print_suppressions=0:suppressions={SUPPRESSED}",
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
        self.timeout_s = TIMEOUT_S

    def command_line(self):
        return [os.path.join(BUILD, self.program), *self.args]

    def run(self, work, fault):
        line = self.command_line()
        process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=environment(work, fault))
        try:
            output, errors = process.communicate(self.text, timeout=self.timeout_s)
        except subprocess.TimeoutExpired:
            process.kill()
            output, errors = process.communicate()
            return Outcome(0, "", errors.decode(errors="replace"), hung="no end")
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
        hung = ""
        output = ""
        # Where every call fails from then on nobody can be served; the server must still end.
        is_lost = fault.get("KIND") == "io" and fault.get("MODE") == "on"
        try:
            output = self.ask(url, 1 if is_lost else 20) if url else ""
        except TimeoutError:
            hung = "" if is_lost else "no answer"
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
