#!/usr/bin/env python3
"""callers.py - whoever has ever used the daemon as a client is no person, nor is what it starts:
hosts that speak HTTP or WebSocket themselves, however short their connections are.

    TENON_BUILD=build tests/consent/callers.py
"""
import array
import base64
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "../lib"))
import daemon  # noqa: E402
import person  # noqa: E402

CALL = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "caller", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {}}}})
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
           "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"}


def check(true, what):
    if not true:
        raise AssertionError(what)


# ---- what a host does; each runs in a process of its own, with the home's environment ----

def found():
    with open(os.environ["XDG_RUNTIME_DIR"] + "/tenon/tenond.json", encoding="utf-8") as file:
        return json.load(file)


def post(port=None, token=None):
    where = found()
    connection = http.client.HTTPConnection("127.0.0.1", port or where["httpPort"], timeout=20)
    connection.request("POST", "/mcp", CALL, {**HEADERS, "Authorization": "Bearer " + (token or where["token"])})
    answer = connection.getresponse()
    body = answer.read()
    check(answer.status == 200 and b"tools" in body, (answer.status, body[:200]))
    return connection


def raw(family=socket.AF_INET, address="127.0.0.1"):
    connection = socket.socket(family)
    connection.connect((address, found()["httpPort"]))
    return connection


def request():
    where = found()
    lines = "".join(f"{k}: {v}\r\n" for k, v in HEADERS.items())
    return (f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{where['httpPort']}\r\nAuthorization: Bearer "
            f"{where['token']}\r\n{lines}Content-Length: {len(CALL)}\r\n\r\n{CALL}").encode()


def read_answer(connection):
    got = b""
    while b'"tools"' not in got:
        more = connection.recv(65536)
        check(more, got[:200])
        got += more


def upgrade(path="/ws", port="httpPort"):
    where = found()
    connection = socket.create_connection(("127.0.0.1", where[port]), 20)
    key = base64.b64encode(os.urandom(16)).decode()
    connection.sendall((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{where[port]}\r\nConnection: Upgrade\r\n"
                        f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
                        f"Authorization: Bearer {where['token']}\r\n\r\n").encode())
    head = connection.recv(4096)
    check(b" 101 " in head, head)
    return connection


def by_post():
    post().close()


def by_post_and_wait():
    post().close()
    time.sleep(1)


def by_websocket():
    upgrade().close()


def by_bridge():
    upgrade(port="bridgePort").close()


def by_mapped_address():
    connection = raw(socket.AF_INET6, "::ffff:127.0.0.1")
    connection.sendall(request())
    read_answer(connection)
    connection.close()


def by_thread():
    """A thread that keeps descriptors of its own."""
    import ctypes
    def work():
        check(ctypes.CDLL(None).unshare(0x400) == 0, "unshare(CLONE_FILES)")
        post().close()
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def by_child():
    """A child has the connection; the host that runs it does not."""
    done = subprocess.run([sys.executable, os.path.abspath(__file__), "act", "by_post"], check=False)
    check(done.returncode == 0, "the child")


def by_shell_child():
    done = subprocess.run(["sh", "-c", '"$0" "$1" act by_post; true', sys.executable,
                           os.path.abspath(__file__)], check=False)
    check(done.returncode == 0, "the child")


def by_tenon_call():
    subprocess.run([daemon.TENON, "tools", "--json"], check=True, stdout=subprocess.DEVNULL)


def by_inherited_socket():
    """The host connects, a child of it speaks, and the host has closed it by then."""
    connection = raw()
    pid = os.fork()
    if pid == 0:
        time.sleep(0.3)
        connection.sendall(request())
        read_answer(connection)
        os._exit(0)
    connection.close()
    _, status = os.waitpid(pid, 0)
    check(status == 0, "the child")


def by_handed_socket():
    """A process that is nobody's relation connects and hands the connection to the host."""
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        connection = raw()
        connection.sendall(request())
        read_answer(connection)
        socket.send_fds(theirs, [b"x"], [connection.fileno()])
        connection.close()
        time.sleep(5)
        os._exit(0)
    os.wait()
    _, fds, _, _ = socket.recv_fds(ours, 1, 1)
    handed = socket.socket(fileno=fds[0])
    time.sleep(6)  # what speaks again is looked at again
    handed.sendall(request())
    read_answer(handed)
    time.sleep(1)
    handed.close()


def by_half_close():
    connection = raw()
    connection.sendall(request())
    connection.shutdown(socket.SHUT_WR)
    read_answer(connection)
    connection.close()


HOSTS = (by_post, by_post_and_wait, by_websocket, by_bridge, by_mapped_address, by_thread, by_child,
         by_shell_child, by_tenon_call, by_inherited_socket, by_handed_socket, by_half_close)


def act(name):
    globals()[name]()


def host(name):
    """What the process does, and then its child: {"code", "shown", "door"}."""
    act(name)
    done = subprocess.run([daemon.TENON, "open", "--print"], stdin=subprocess.DEVNULL, capture_output=True,
                          encoding="utf-8", check=False, timeout=60)
    with socket.socket(socket.AF_UNIX) as door:
        door.connect(os.environ["XDG_RUNTIME_DIR"] + "/tenon/person.sock")
        line = door.makefile().readline()
    print(json.dumps({"code": done.returncode, "shown": done.stdout + done.stderr, "door": json.loads(line)}))


# ---- the tests ----

def run_host(home, name, wrap=()):
    """In a tree of its own, so that it is refused for what it did itself."""
    words = [*wrap, sys.executable, os.path.abspath(__file__), "host", name]
    elsewhere = person.Elsewhere()
    done = elsewhere.do("run", words=words, env=home.env, text=None, timeout=60)
    elsewhere.close()
    check(done["code"] == 0, (name, done))
    return json.loads(done["out"].splitlines()[-1])


def test_hosts(home):
    for way in HOSTS:
        told = run_host(home, way.__name__)
        check(told["code"] == 3 and "#token=" not in told["shown"], (way.__name__, told))
        check(told["door"].get("error") == "DENIED", (way.__name__, told))
        check("does not speak for a person" in told["door"]["message"], told)


def test_wrapped_hosts(home):
    """However it is started, and whatever its child goes through."""
    for wrap in (["sh", "-c", '"$@"; true', "sh"], ["setsid", "-w"], ["env", "A=b"]):
        told = run_host(home, "by_post", wrap)
        check(told["code"] == 3, (wrap, told))


NODE = """
const { execFile } = require('node:child_process');
const found = JSON.parse(require('node:fs').readFileSync(process.env.XDG_RUNTIME_DIR + '/tenon/tenond.json'));
(async () => {
  const answer = await fetch(`http://127.0.0.1:${found.httpPort}/mcp`, {method: 'POST', body: process.argv[2],
    headers: {...JSON.parse(process.argv[3]), Authorization: `Bearer ${found.token}`}});
  await answer.text();
  if (answer.status !== 200) throw new Error(String(answer.status));
  setTimeout(() => execFile(process.argv[1], ['open', '--print'], (err, out) =>
    console.log(JSON.stringify({code: err ? err.code : 0, out}))), Number(process.argv[4]));
})();
"""


def test_node(home):
    """Node's fetch drops its idle socket after some seconds; the host stays known."""
    node = shutil.which("node")
    if not node:
        print("skipped: there is no node")
        return
    for wait_ms in (0, 6500):
        elsewhere = person.Elsewhere()
        done = elsewhere.do("run", words=[node, "-e", NODE, daemon.TENON, CALL, json.dumps(HEADERS), str(wait_ms)],
                            env=home.env, text=None, timeout=60)
        elsewhere.close()
        check(done["code"] == 0 and json.loads(done["out"])["code"] == 3, (wait_ms, done))


def test_a_call_that_nobody_waits_for(home):
    """Whoever sends a request and has closed before anybody looks is not served: nobody could say who it was."""
    before = calls(home)
    where = home.discovery()
    lines = "".join(f"{k}: {v}\r\n" for k, v in HEADERS.items())
    os.kill(where["pid"], signal.SIGSTOP)  # what is looked at meanwhile would be found
    try:
        for _ in range(20):
            connection = socket.create_connection(("127.0.0.1", where["httpPort"]), 10)
            connection.sendall((f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {where['token']}\r\n"
                                f"{lines}Content-Length: {len(CALL)}\r\n\r\n{CALL}").encode())
            connection.close()
    finally:
        os.kill(where["pid"], signal.SIGCONT)
    time.sleep(0.5)
    served = calls(home) - before
    check(served <= 1, f"{served} of 20 calls were made for nobody")  # one: `calls` itself


def calls(home):
    status = home.get("/metrics", token=home.discovery()["token"])[2].decode()
    return sum(float(line.split()[-1]) for line in status.splitlines()
               if line.startswith("tenon_requests_total{") and 'tools/list' in line)


def test_refused_and_held(home):
    """Requests behind one that is refused while it is looked up who this is: each has its answer, in order."""
    where = home.discovery()
    bad = (f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{where['httpPort']}\r\nAuthorization: Bearer {where['token']}\r\n"
           "Content-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc")
    lines = "".join(f"{k}: {v}\r\n" for k, v in HEADERS.items())
    good = (f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{where['httpPort']}\r\nAuthorization: Bearer {where['token']}\r\n"
            f"{lines}Content-Length: {len(CALL)}\r\n\r\n{CALL}")
    page = f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{where['httpPort']}\r\n\r\n"
    kinds = {"b": (bad, b"415"), "g": (good, b"200"), "p": (page, b"200")}
    for order in ("bg", "bbg", "gb", "bp", "bpg", "pbg", "gbgbg"):
        for pieces in (False, True):
            connection = socket.create_connection(("127.0.0.1", where["httpPort"]), 10)
            for kind in order:
                connection.sendall(kinds[kind][0].encode()[:-2] if pieces else kinds[kind][0].encode())
                if pieces:
                    time.sleep(0.02)
                    connection.sendall(kinds[kind][0].encode()[-2:])
            reader = connection.makefile("rb")
            for kind in order:
                status, size = reader.readline().split()[1], 0
                for line in iter(reader.readline, b"\r\n"):
                    size = int(line.split(b":")[1]) if line.lower().startswith(b"content-length:") else size
                reader.read(size)
                check(status == kinds[kind][1], (order, pieces, kind, status))
            connection.close()


def test_persons(home):
    """A person's shell, what it starts that speaks, and a person again."""
    words = ["bash", "-c", 'curl -s -o /dev/null -X POST -d "$1" -H "Authorization: Bearer $2" '
             '-H "Content-Type: application/json" http://127.0.0.1:$3/mcp && "$0" tools --json >/dev/null && '
             '"$0" open --print', daemon.TENON, CALL, home.discovery()["token"], str(home.discovery()["httpPort"])]
    done = person.do("terminal", words=["/usr/bin/env", *words], env=home.env, answers=[], timeout=60)
    check(done["code"] == 0 and "#token=" in done["out"], done)
    # A host that opens terminals for people: its own commands are no person's, theirs are.
    check("token" in person.do("ask", path=home.runtime("person.sock")), "a person elsewhere")


def test_a_page_is_no_client(home):
    """What holds the person token does not make clients of those above it."""
    token = person.do("ask", path=home.runtime("person.sock"))["token"]
    script = ("import sys; sys.path.insert(0, %r); import callers, os\n"
              "callers.post(token=%r)\ncallers.subprocess.run([callers.daemon.TENON, 'open', '--print'], check=True)"
              % (FOLDER, token))
    done = person.do("run", words=[sys.executable, "-c", script], env=home.env, text=None, timeout=60)
    check(done["code"] == 0 and "#token=" in done["out"], done)


def test_what_a_host_has_started_before(home):
    """A terminal that a program has opened is a person's, although the program runs commands, too."""
    elsewhere = person.Elsewhere()
    elsewhere.do("run", words=[daemon.TENON, "tools", "--json"], env=home.env, text=None, timeout=60)
    check(elsewhere.do("ask", path=home.runtime("person.sock")).get("error") == "DENIED", "it runs commands")
    done = elsewhere.do("terminal", words=[daemon.TENON, "open", "--print"], env=home.env, answers=[], timeout=60)
    check(done["code"] == 0 and "#token=" in done["out"], done)
    elsewhere.close()


def main():
    with daemon.Home() as home:
        home.tenon("up")
        for test in (test_hosts, test_wrapped_hosts, test_node, test_a_call_that_nobody_waits_for, test_refused_and_held,
                     test_persons, test_a_page_is_no_client, test_what_a_host_has_started_before):
            test(home)
            print("ok", test.__name__)
        home.tenon("down")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        {"act": act, "host": host}[sys.argv[1]](sys.argv[2])
    else:
        main()
