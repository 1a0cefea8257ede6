#!/usr/bin/env python3
"""consent.py - who may approve, with a real daemon, real process trees and real terminals.

    TENON_BUILD=build tests/consent/consent.py

A fake AI host starts a relay and asks for something that needs consent. Neither the host, nor what
it starts, nor `tenon call` can approve it, under a terminal or not; a person elsewhere can.
"""
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib"))
import daemon  # noqa: E402
import person  # noqa: E402

POLICY = """{
  // for this test: explaining a plan needs consent
  "rules": [{"id": "explain", "tool": "terraform_explain", "action": "confirm"}],
}
"""
PLAN = "No changes. Your infrastructure matches the configuration."
HOST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fake_host.py")


def check(true, what):
    if not true:
        raise AssertionError(what)


class Host:
    """A fake AI host: a process that starts a relay, and whatever it is told to."""

    def __init__(self, home, wrapped=False):
        words = [sys.executable, HOST, daemon.TENON] + (["wrapped"] if wrapped else [])
        self.child = subprocess.Popen(words, env=home.env, stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, encoding="utf-8")

    def do(self, what, **more):
        self.child.stdin.write(json.dumps({"do": what, **more}) + "\n")
        self.child.stdin.flush()
        return json.loads(self.child.stdout.readline())

    def stop(self):
        self.child.stdin.close()
        self.child.wait(20)


def on_terminal(home, words, typed, timeout=30):
    """Runs `tenon WORDS` on a terminal of its own; types when a question is there."""
    done = person.do("terminal", words=[daemon.TENON, *words], env=home.env,
                     answers=[["decide later]", typed]], timeout=timeout)
    return done["code"], done["out"]


def approvals(home):
    return json.loads(home.tenon("approve", "--list", "--json").stdout)


def pending(home, count=1):
    daemon.wait_until(lambda: len([r for r in approvals(home) if r["state"] == "pending"]) == count,
                      f"{count} pending requests")
    return [r for r in approvals(home) if r["state"] == "pending"]


def ask_door(home):
    return person.do("ask", path=home.runtime("person.sock"))


def fault(answer):
    return answer["result"].get("structuredContent", {}).get("error")


def test_unavailable_then_approved(home, host):
    answer = host.do("call")
    check(fault(answer) == "CONSENT_UNAVAILABLE", answer)
    request = answer["result"]["structuredContent"]["approvalId"]
    check(pending(home)[0]["id"] == request, "the same request")
    check(pending(home)[0]["rule"] == "explain", "the rule's name")
    code, shown = on_terminal(home, ["approve", request], "y\n")
    check(code == 0 and "approved" in shown, shown)
    check("terraform_explain" in shown and "fake-host" in shown and "digest" in shown, shown)
    answer = host.do("call")
    check(not answer["result"].get("isError"), answer)
    answer = host.do("call")  # a consent counts once
    check(fault(answer) == "CONSENT_UNAVAILABLE", answer)
    code, shown = on_terminal(home, ["approve"], "\n")
    check(code == 0 and "nothing was decided" in shown, shown)
    code, shown = on_terminal(home, ["approve"], "n\n")
    check(code == 0 and "refused" in shown, shown)
    check(fault(host.do("call")) == "CONSENT_DECLINED", "refused")
    check(fault(host.do("call", text=PLAN + " ")) == "CONSENT_UNAVAILABLE", "other arguments")
    home.tenon("approve", "--deny")


def test_host_cannot_approve(home, host):
    request = host.do("call")["result"]["structuredContent"]["approvalId"]
    refused = host.do("run", words=["approve", request], terminal=True)
    check(refused["code"] == 3 and "does not speak for a person" in refused["shown"].replace("\r\n", " "),
          refused)
    for words in (["approve", request], ["approve", "--deny", request], ["open", "--print"],
                  ["token", "--rotate"]):
        for depth in (0, 2):
            refused = host.do("run", words=words, terminal=False, depth=depth)
            check(refused["code"] == 3, (words, refused))
            check(home.discovery()["token"] not in refused["shown"], "no token")
    check(host.do("door")["error"] == "DENIED", "the socket itself")
    for tool in ("approve_request", "rotate_token", "change_policy", "change_settings"):
        refused = home.tenon("call", "tenon." + tool, "--args", "{}", code=None)
        check(refused.returncode != 0, f"tenon call {tool} exists for a client")
        refused = host.do("tool", name=tool, arguments={"id": request, "decision": "approve"})
        check("error" in refused and "Unknown tool" in refused["error"]["message"], refused)
    check(pending(home)[0]["id"] == request, "still pending")
    # Ending the relay does not make a person of the host.
    host.do("end_relay")
    check(host.do("door")["error"] == "DENIED", "a host without its relay")
    check(host.do("run", words=["approve", request], terminal=True)["code"] == 3, "likewise")
    check("token" in ask_door(home), "a person elsewhere")
    home.tenon("approve", "--deny", request)


def test_wrapped_host(home):
    """A host that starts its relay by `sh -c` is the host, not the shell."""
    host = Host(home, wrapped=True)
    try:
        check(fault(host.do("call", text=PLAN + "  ")) == "CONSENT_UNAVAILABLE", "asked")
        check(host.do("door")["error"] == "DENIED", "the host above a shell")
        home.tenon("approve", "--deny")
    finally:
        host.stop()


def test_call_cannot_approve(home):
    """`tenon call` on a terminal: whoever types may be the assistant."""
    words = "plan_text=" + PLAN + "   "
    code, shown = on_terminal(home, ["call", "plan.terraform_explain", words], "y\n")
    check(code == 5 and "tenon approve apr_" in shown.replace("\r\n", ""), (code, shown))
    refused = home.tenon("call", "plan.terraform_explain", words, "--json", code=5)
    check(json.loads(refused.stderr)["error"] == "CONSENT_UNAVAILABLE", refused.stderr)
    check(len(pending(home)) == 1, "the same request again")
    home.tenon("approve", "--deny")
    home.tenon("call", "plan.terraform_explain", words, code=5)


def test_waiting(home, host):
    """With a page open the call waits; the person's answer ends it."""
    person = ask_door(home)
    page = Page(home, person["token"])
    try:
        answers = []
        thread = threading.Thread(target=lambda: answers.append(host.do("call")))
        thread.start()
        request = pending(home)[0]
        check(not answers, "it waits")
        answer = page.call("approve_request", {"id": request["id"], "decision": "approve"})
        check(not answer["result"].get("isError"), answer)
        thread.join(20)
        check(answers and not answers[0]["result"].get("isError"), answers)
        used = [r for r in approvals(home) if r["id"] == request["id"]][0]
        check(used["state"] == "used" and used["decidedBy"] == "page", used)
    finally:
        page.close()


class Page:
    """What the page is: a client on /ws with the person token, here over a plain socket."""

    def __init__(self, home, token):
        found = home.discovery()
        self.socket = socket.create_connection(("127.0.0.1", found["httpPort"]), 20)
        self.socket.sendall((
            "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: mcp, bearer.%s\r\n\r\n" % (found["httpPort"], token)).encode())
        head = b""
        while b"\r\n\r\n" not in head:
            got = self.socket.recv(1)
            check(got, head)
            head += got
        check(head.startswith(b"HTTP/1.1 101"), head)
        self.number = 0
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                "clientInfo": {"name": "page", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        data = json.dumps(message).encode()
        check(len(data) < 65536, "short messages")
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
        self.socket.sendall(b"\x81" + size + b"\0\0\0\0" + data)

    def read(self, size):
        data = b""
        while len(data) < size:
            got = self.socket.recv(size - len(data))
            check(got, "the connection ended")
            data += got
        return data

    def receive(self):
        head = self.read(2)
        size = head[1] & 127
        if size == 126:
            size = int.from_bytes(self.read(2), "big")
        elif size == 127:
            size = int.from_bytes(self.read(8), "big")
        data = self.read(size)
        return json.loads(data) if head[0] & 15 == 1 else None

    def ask(self, method, params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            message = self.receive()
            if message and message.get("id") == self.number and "method" not in message:
                return message

    def call(self, name, arguments):
        return self.ask("tools/call", {"name": name, "arguments": arguments})

    def close(self):
        """And the daemon knows that nobody is there any more."""
        self.socket.shutdown(socket.SHUT_WR)
        while self.socket.recv(4096):
            pass
        self.socket.close()


def text_of(path):
    """What is in the file so far."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def test_open(home):
    """The page's address reaches the browser, and stands in no process's words."""
    printed = home.tenon("open", "--print").stdout.strip()
    check(printed.startswith(home.discovery()["url"] + "/#token="), printed)
    check(home.tenon("open").stdout.strip() == printed, "without a display it is printed")
    programs = home.path("bin")
    os.mkdir(programs)
    browser = os.path.join(programs, "xdg-open")
    with open(browser, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\necho \"$@\" >%s\nexec curl -s -o /dev/null -D %s \"$1\"\n"
                   % (home.path("words"), home.path("answer")))
    os.chmod(browser, 0o755)
    before = dict(home.env)
    home.env.update(PATH=programs + ":" + os.environ["PATH"], DISPLAY=":77")
    done = home.tenon("open")
    home.env = before
    with open(home.path("words"), encoding="utf-8") as file:
        words = file.read()
    daemon.wait_until(lambda: "\n" in text_of(home.path("answer")).partition("#token=")[2], "the browser's answer")
    answer = text_of(home.path("answer"))
    token = printed.partition("#token=")[2]
    check(token not in words and token not in done.stdout + done.stderr, "the token is nowhere")
    check("302" in answer and "Location: " + home.discovery()["url"] + "/#token=" in answer, answer)
    own = answer.partition("#token=")[2].split()[0]  # of this page alone
    check(own != token and home.get("/metrics", token=own)[0] == 200, "a token of its own that counts")
    check(own not in words and own not in done.stdout + done.stderr, "nor is that one anywhere")
    # Its door is closed now.
    port = int(words.split(":")[2].split("/")[0])
    try:
        socket.create_connection(("127.0.0.1", port), 2).close()
        raise AssertionError("the door is still open")
    except ConnectionRefusedError:
        pass


def test_token(home):
    check(home.tenon("token").stdout.strip() == home.discovery()["token"], "the client token")
    check(json.loads(home.tenon("token", "--json").stdout)["token"] == home.discovery()["token"], "json")
    before = home.discovery()["token"]
    after = home.tenon("token", "--rotate").stdout.strip()
    check(after != before and home.discovery()["token"] == after, "a new one")


def test_libraries(home):
    """The client libraries of others put the question to their users, in both eras."""
    folder = os.path.dirname(os.path.abspath(__file__))
    node = os.path.join(folder, "../../tools/node.sh")
    if not os.path.exists(node) or not os.path.isdir(os.path.join(folder, "../clients/node_modules")):
        print("skipped: tests/clients/install.sh has not been run")
        return
    for kind in ("sdk1", "sdk2-modern", "sdk2-auto", "sdk2-legacy"):
        done = subprocess.run([node, os.path.join(folder, "elicit.mjs"), kind, daemon.TENON], env=home.env,
                              capture_output=True, encoding="utf-8", check=False, timeout=120)
        check(done.returncode == 0, done.stdout + done.stderr)


def test_no_terminal(home):
    done = home.tenon("approve", "--json", code=None)
    check(done.returncode == 3 and json.loads(done.stderr)["error"] == "TERMINAL_REQUIRED", done)


def test_environment():
    for value, expected in (("allow", None), ("deny", "CONSENT_DECLINED")):
        with daemon.Home(TENON_CONSENT=value) as home:
            write_policy(home, POLICY)
            done = home.tenon("call", "plan.terraform_explain", "plan_text=" + PLAN, "--json", code=None)
            said = home.tenon("read", "tenon://policy").stdout  # no person is to find out by the audit alone
            check(f"TENON_CONSENT={value}" in said and f"TENON_CONSENT={value}" in home.log(), said)
            if expected:
                check(done.returncode == 5 and json.loads(done.stderr)["error"] == expected, done)
            else:
                check(done.returncode == 0, done)


def test_policy_file():
    """A broken file is told with its line: at the start it ends the daemon, later the old stays."""
    with daemon.Home() as home:
        write_policy(home, '{\n  "default": "maybe"\n}\n')
        done = home.tenon("up", code=None)
        check(done.returncode != 0 and "policy.json:2: default:" in done.stderr, done)
        write_policy(home, '{"default": "deny"}')
        home.tenon("up")
        denied = home.tenon("call", "plan.terraform_explain", "plan_text=" + PLAN, "--json", code=5)
        check(json.loads(denied.stderr)["error"] == "DENIED_BY_POLICY", denied)
        write_policy(home, '{"default": 7}')
        os.kill(home.discovery()["pid"], signal.SIGHUP)
        daemon.wait_until(lambda: "policy.json:1: default:" in
                          (json.loads(home.tenon("read", "tenon://policy").stdout)["problem"] or ""),
                          "the problem is shown")
        home.tenon("call", "plan.terraform_explain", "plan_text=" + PLAN, code=5)
        write_policy(home, '{"default": "allow"}')
        os.kill(home.discovery()["pid"], signal.SIGHUP)
        daemon.wait_until(lambda: home.tenon("call", "plan.terraform_explain", "plan_text=" + PLAN,
                                             code=None).returncode == 0, "the new policy")


def write_policy(home, text):
    folder = home.path("config", "tenon")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "policy.json"), "w", encoding="utf-8") as file:
        file.write(text)


def main():
    with daemon.Home() as home:
        write_policy(home, POLICY)
        home.tenon("up")
        host = Host(home)
        try:
            for test in (test_unavailable_then_approved, test_waiting, test_host_cannot_approve):
                test(home, host)
                print(f"ok {test.__name__}", flush=True)
        finally:
            host.stop()
        for test in (test_wrapped_host, test_call_cannot_approve, test_open, test_no_terminal,
                     test_token, test_libraries):
            time.sleep(0.1)
            test(home)
            print(f"ok {test.__name__}", flush=True)
    test_environment()
    test_policy_file()
    print("ok")


if __name__ == "__main__":
    main()
