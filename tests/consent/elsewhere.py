#!/usr/bin/env python3
"""elsewhere.py - who is a caller from elsewhere, and who decides where there is no daemon: `tenon serve
terminal --http`, and the daemon's own endpoints, with and without a proxy on loopback (terminal.md 10.1,
10.2).

    TENON_BUILD=build tests/consent/elsewhere.py
"""
import base64
import http.client
import json
import os
import select
import socket
import subprocess
import sys
import threading

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "../lib"))
import daemon  # noqa: E402
import person  # noqa: E402

PASSED_ON = ({"Forwarded": "for=192.0.2.1"}, {"X-Forwarded-For": "192.0.2.1"}, {"x-forwarded-proto": "https"},
             {"X-FORWARDED-HOST": "tenon.example"}, {"Via": "1.1 proxy"})


def check(true, what):
    if not true:
        raise AssertionError(what)


def call(port, token, command, path="/mcp", headers=None, **more):
    """execute_command by a modern POST: the result."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "execute_command", "arguments": {"command": command, "isolated": True, **more}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "elsewhere", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {}}}})
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("POST", path, body, {
        "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "execute_command",
        "Authorization": "Bearer " + token, "Connection": "close", **(headers or {})})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    check(answer.status == 200, (answer.status, text))
    if text.startswith("{"):
        message = json.loads(text)
    else:
        message = json.loads([line for line in text.splitlines() if line.startswith("data: {")][-1][6:])
    check("result" in message, message)
    return message["result"]


def is_asked(result):
    return bool(result.get("isError")) and result["structuredContent"].get("error") == "CONSENT_UNAVAILABLE"


def runs(result, word):
    return not result.get("isError") and word in result["content"][0]["text"]


class Proxy:
    """A small reverse proxy: bytes each way, nothing added. As a process of `uid` it is another user's, as a
    packaged proxy is."""

    def __init__(self, to, uid=None):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.pid = os.fork()
        if self.pid == 0:
            if uid:
                os.setuid(uid)
            while True:
                end, _ = self.listener.accept()
                threading.Thread(target=self.carry, args=(end, to), daemon=True).start()
        self.listener.close()

    @staticmethod
    def carry(end, to):
        other = socket.create_connection(("127.0.0.1", to))
        pairs = {end: other, other: end}
        while True:
            for ready in select.select(list(pairs), [], [])[0]:
                got = ready.recv(65536)
                if not got:
                    return
                pairs[ready].sendall(got)

    def stop(self):
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)


class Served:
    """`tenon serve terminal --http` in a home of its own."""

    def __init__(self, home, *more):
        root = home.path("root")
        os.makedirs(root, exist_ok=True)
        self.child = subprocess.Popen([daemon.TENON, "serve", "terminal", "--http", "127.0.0.1:0", "--root", root,
                                       *more], env=home.env, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                      encoding="utf-8")
        first, second = self.child.stderr.readline(), self.child.stderr.readline()
        check(first.startswith("listening on ") and second.startswith("token "), (first, second))
        self.port = int(first.split("//")[1].split("/")[0].rpartition(":")[2])
        self.token = second.split()[1]

    def stop(self):
        self.child.terminate()
        self.child.wait(20)
        self.child.stderr.close()


def test_served_by_itself(home):
    """T-10 (1), as it stands there: the right token over loopback is a caller of this machine."""
    served = Served(home)
    try:
        check(runs(call(served.port, served.token, "echo he''llo"), "hello"), "a caller of this machine")
        for headers in PASSED_ON:
            check(is_asked(call(served.port, served.token, "echo hello", headers=headers)), headers)
    finally:
        served.stop()


def test_confined_by_default(home):
    """terminal.md 10 (2): sessions of callers from elsewhere are confined without a setting; what the sandbox refuses
    only a person allows."""
    doctor = subprocess.run([daemon.TENON, "doctor"], capture_output=True, encoding="utf-8", env=home.env, check=False)
    if "Landlock works" not in doctor.stdout:
        print("SKIPPED elsewhere: no Landlock here", file=sys.stderr)
        return
    with open(home.path("open.json"), "w", encoding="utf-8") as file:
        json.dump({"terminal": {"default": "allow", "rules": [], "opaque": "allow", "hidden": "allow"}}, file)
    served = Served(home, "--policy", home.path("open.json"))
    target = home.path("written")
    write = f"echo x >{target} && echo he''llo"
    try:
        for headers in PASSED_ON:
            result = call(served.port, served.token, write, headers=headers)
            check(not result.get("isError") and not runs(result, "hello"), (headers, result))
            check(not os.path.exists(target), f"{headers}: it was confined")
            check(runs(call(served.port, served.token, "echo x >inside && echo he''llo", headers=headers), "hello"), headers)
            check(is_asked(call(served.port, served.token, write, headers=headers, sandbox="off")), headers)
            check(not os.path.exists(target), f"{headers}: nobody has allowed it")
    finally:
        served.stop()


# A host: it speaks by the Unix socket it is told, or starts the server and speaks by its pipes; then what it starts
# asks the server's door for persons.
HOST = """
import glob, json, os, socket, subprocess, sys, time
way, words = sys.argv[1], sys.argv[2:]
ask = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
    "capabilities": {}, "clientInfo": {"name": "host", "version": "1"}}}) + "\\n"
if way == "unix":
    end = socket.socket(socket.AF_UNIX)
    end.connect(words[0])
    end.sendall(ask.encode())
    assert "result" in json.loads(end.makefile().readline())
    end.close()
elif way == "sse":
    end = socket.create_connection(("127.0.0.1", int(words[0])))
    end.sendall((f"GET /sse HTTP/1.1\\r\\nHost: 127.0.0.1:{words[0]}\\r\\nAuthorization: Bearer {words[1]}\\r\\n"
                 "Accept: text/event-stream\\r\\n\\r\\n").encode())
    got = b""
    while b"event: endpoint" not in got:
        more = end.recv(4096)
        assert more, got
        got += more
    end.close()
elif way == "stdio":
    child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             encoding="utf-8")
    child.stdin.write(ask)
    child.stdin.flush()
    assert "result" in json.loads(child.stdout.readline())
for _ in range(500):
    doors = glob.glob(os.environ["XDG_RUNTIME_DIR"] + "/tenon/serve-*.sock")
    if doors:
        break
    time.sleep(0.02)
print(subprocess.run([sys.executable, "-c", "import socket, sys; s = socket.socket(socket.AF_UNIX); "
                      "s.connect(sys.argv[1]); print(s.makefile().readline())", doors[0]], capture_output=True,
                     encoding="utf-8", check=True).stdout)
if way == "stdio":
    child.stdin.close()
    child.wait(20)
"""


def ask_as_host(home, *words):
    elsewhere = person.Elsewhere()
    done = elsewhere.do("run", words=[sys.executable, "-c", HOST, *words], env=home.env, text=None, timeout=60)
    elsewhere.close()
    check(done["code"] == 0, done)
    return json.loads(done["out"])


def test_whoever_spoke_is_no_person(home):
    """By a Unix socket and by standard input as by HTTP: what a client starts is refused the token."""
    path = home.path("client.sock")
    served = Served(home, "--unix", path)
    try:
        check("token" in ask_as_host(home, "nothing"), "a person's program")
        for words in (("unix", path), ("sse", str(served.port), served.token)):
            told = ask_as_host(home, *words)
            check(told.get("error") == "DENIED" and "does not speak for a person" in told["message"], (words, told))
    finally:
        served.stop()
    root = home.path("root")
    told = ask_as_host(home, "stdio", daemon.TENON, "serve", "terminal", "--stdio", "--http", "127.0.0.1:0", "--root", root)
    check(told.get("error") == "DENIED" and "does not speak for a person" in told["message"], told)


def test_a_door_that_takes_nobody(home):
    """A socket by that name whose owner has stopped: it is told, and soon."""
    folder = home.runtime("")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    stuck = socket.socket(socket.AF_UNIX)
    stuck.bind(os.path.join(folder, "serve-1.sock"))
    stuck.listen(0)
    filling = []
    for _ in range(3):
        end = socket.socket(socket.AF_UNIX)
        end.setblocking(False)
        filling.append((end, end.connect_ex(os.path.join(folder, "serve-1.sock"))))
    check(any(code for _, code in filling), "it is full")
    done = home.tenon("approve", "--list", code=None, timeout=20)
    check(done.returncode == 4 and "does not answer at serve-1.sock" in done.stderr, done)
    stuck.close()
    os.unlink(os.path.join(folder, "serve-1.sock"))


def test_decided_without_a_daemon(home):
    """What a standalone server asks is found by `tenon approve`, and no daemon is started for it."""
    served, other = Served(home), Served(home)
    try:
        asked = call(served.port, served.token, "rm -rf nothing-here && echo do''ne")
        check(is_asked(asked), asked)
        text = asked["content"][0]["text"]
        check(not text.startswith("{") and "`tenon approve apr_" in text and "tenon open" not in text, text)
        request = asked["structuredContent"]["approvalId"]
        done = person.do("terminal", words=[daemon.TENON, "approve", request], env=home.env,
                         answers=[["decide later]", "y\n"]], timeout=60)
        check(done["code"] == 0 and "approved" in done["out"] and "rm -rf nothing-here" in done["out"], done)
        check(runs(call(served.port, served.token, "rm -rf nothing-here && echo do''ne"), "done"), "approved once")
        check(is_asked(call(served.port, served.token, "rm -rf nothing-here && echo do''ne")), "once")
        # A caller may neither see nor decide it in a person's place.
        refused = subprocess.run([daemon.TENON, "approve", "--deny"], env=home.env, stdin=subprocess.DEVNULL,
                                 capture_output=True, encoding="utf-8", check=False, timeout=60)
        check(refused.returncode == 3 and "does not speak for a person" in refused.stderr, refused)
        check(home.discovery_or_none() is None, "no daemon was started")
    finally:
        served.stop()
        other.stop()
    check(not [name for name in os.listdir(home.path("run", "tenon")) if name.startswith("serve-")], "no socket left")


def test_nothing_runs(home):
    done = home.tenon("approve", "--deny", code=None)
    check(done.returncode == 5 and "no server of yours runs" in done.stderr, done)
    check("nothing waits" in home.tenon("approve", "--list").stdout, "a list of nothing")
    check(home.discovery_or_none() is None, "no daemon was started")


def test_proxies(home):
    """Whoever comes through a proxy on loopback is asked, whatever the proxy says of itself."""
    served = Served(home, "--set", "http.proxies=127.0.0.1")
    proxy = Proxy(served.port)
    try:
        check(is_asked(call(proxy.port, served.token, "echo hello")), "a proxy that is configured")
    finally:
        proxy.stop()
        served.stop()
    if os.geteuid() != 0:
        print("skipped: another user's proxy needs root")
        return
    served = Served(home)
    proxy = Proxy(served.port, uid=65534)
    try:
        check(is_asked(call(proxy.port, served.token, "echo hello")), "another user's proxy that is silent")
        check(runs(call(served.port, served.token, "echo he''llo"), "hello"), "and nobody else")
    finally:
        proxy.stop()
        served.stop()


def upgrade(port, path, token, headers=()):
    connection = socket.create_connection(("127.0.0.1", port), 30)
    lines = "".join(f"{name}: {value}\r\n" for name, value in dict(headers).items())
    connection.sendall((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}\r\n"
                        f"Authorization: Bearer {token}\r\n{lines}\r\n").encode())
    head = b""
    while b"\r\n\r\n" not in head:
        got = connection.recv(1)
        check(got, head)
        head += got
    check(b" 101 " in head, head)
    return connection


def ask_ws(connection, command):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "execute_command", "arguments": {"command": command, "isolated": True}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "elsewhere", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {}}}}).encode()
    connection.sendall(b"\x81\xfe" + len(body).to_bytes(2, "big") + bytes(4) + body)
    file = connection.makefile("rb")
    while True:
        kind, size = file.read(2)
        size = int.from_bytes(file.read(2), "big") if size == 126 else size
        data = file.read(size)
        if kind & 15 == 1 and b'"id":1' in data:
            return json.loads(data)["result"]


def test_daemon(home):
    """The same rule on all endpoints of the daemon."""
    home.tenon("up")
    found = home.discovery()
    for path in ("/mcp", "/mcp/terminal"):
        check(runs(call(found["httpPort"], found["token"], "echo he''llo", path), "hello"), path)
        for headers in PASSED_ON:
            check(is_asked(call(found["httpPort"], found["token"], "echo hello", path, headers)), (path, headers))
    for port in (found["httpPort"], found["bridgePort"]):
        connection = upgrade(port, "/ws", found["token"])
        check(runs(ask_ws(connection, "echo he''llo"), "hello"), port)
        connection.close()
        for headers in PASSED_ON:
            connection = upgrade(port, "/ws", found["token"], headers)
            check(is_asked(ask_ws(connection, "echo hello")), (port, headers))
            connection.close()
    home.tenon("down")


def main():
    for test in (test_served_by_itself, test_confined_by_default, test_whoever_spoke_is_no_person, test_a_door_that_takes_nobody,
                 test_decided_without_a_daemon, test_nothing_runs, test_proxies, test_daemon):
        with daemon.Home() as home:
            test(home)
        print("ok", test.__name__)


if __name__ == "__main__":
    main()
