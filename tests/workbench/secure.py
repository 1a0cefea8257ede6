#!/usr/bin/env python3
"""secure.py - previews of servers with TLS (workbench.md section 0, S16, S17): python's ssl with a certificate made here, through the
real daemon; what good servers do, what hostile ones may try, and in Chromium, a login and the real Vite."""
import contextlib
import http.client
import json
import os
import re
import select
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time

for folder in ("../lib", "../terminal"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import check  # noqa: E402
import daemon  # noqa: E402
import links  # noqa: E402
from check import need  # noqa: E402
from core import ROOT, Seer, as_person, copy_demo  # noqa: E402
from managed import NODE, copy_of, missing  # noqa: E402
from preview import Adapter, block_of, fetch, until  # noqa: E402
from shown import Shown as Chromium  # noqa: E402

PORT = int(os.environ.get("TENON_SECURE_PORT", "18560"))
PAGE = b"<!doctype html><html><head><title>Safe</title></head><body><p>hello</p></body></html>"


def step(name):
    return check.Step("workbench-secure", name)


def certificate(folder):
    """(certificate, key) of nobody that anybody trusts, for another name."""
    files = [os.path.join(folder, name) for name in ("cert.pem", "key.pem")]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=nobody.example",
                    "-keyout", files[1], "-out", files[0]], check=True, stderr=subprocess.DEVNULL)
    return files


def context_of(files, **attributes):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*files)
    for name, value in attributes.items():
        setattr(context, name, value)
    return context


class Served:
    """A server; `act(connection)` has each connection in a thread of its own, within TLS where there is a context."""

    def __init__(self, act, context=None, family=socket.AF_INET):
        self.act, self.context, self.seen = act, context, []
        self.sent, self.pause, self.heard = 0, 0, threading.Event()
        self.listener = socket.create_server(("::1" if family == socket.AF_INET6 else "127.0.0.1", 0), family=family, backlog=64)
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self.one, args=(self.listener.accept()[0],), daemon=True).start()

    def one(self, raw):
        raw.settimeout(60)
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # an answer before a close is not held back
        with contextlib.suppress(OSError, ValueError):
            connection = self.context.wrap_socket(raw, server_side=True, suppress_ragged_eofs=True) if self.context else raw
            self.act(connection, self)
            connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


def head_of(connection):
    """(head, what came behind it)"""
    text = b""
    while b"\r\n\r\n" not in text:
        piece = connection.recv(65536)
        if not piece:
            raise OSError("the end")
        text += piece
    head, _, rest = text.partition(b"\r\n\r\n")
    return head.decode(), rest


def answer(connection, body, status="200 OK", kind="text/plain", *more):
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *more]
    connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)


def app(connection, served):
    """A server of a developer: pages, redirects, uploads, streams, a WebSocket."""
    head, rest = head_of(connection)
    served.seen.append(head)
    method, path, _ = head.split(" ", 2)
    port = served.port
    if path == "/":
        answer(connection, PAGE, "200 OK", "text/html", "Content-Security-Policy: default-src 'self'",
               "X-Frame-Options: DENY")
    elif path.startswith("/to/"):
        where = {"own": f"https://localhost:{port}/there?a=1", "number": f"https://127.0.0.1:{port}/there", "plain":
                 f"http://localhost:{port}/there", "slashes": f"//localhost:{port}/there", "away": "https://example.org/x",
                 "port": "https://localhost:1/x", "path": "/there"}[path[4:]]
        answer(connection, b"", "302 Found", "text/plain", f"Location: {where}")
    elif path == "/ragged":  # TLS without its end, as most servers of developers close
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nall of it")
        connection.unwrap = None
    elif path == "/cut":
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 99\r\n\r\npart")
    elif path == "/notify":
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nall of it")
        with contextlib.suppress(OSError):
            connection.unwrap()  # waits for the other's
    elif path.startswith("/large/"):
        connection.sendall(f"HTTP/1.1 200 OK\r\nContent-Length: {path[7:]}\r\n\r\n".encode())
        left = int(path[7:])
        while left:
            piece = min(left, 100_000)
            connection.sendall(bytes([left % 251]) * piece)
            left -= piece
            served.sent = int(path[7:]) - left
    elif path == "/up":
        left = int(re.search(r"Content-Length: (\d+)", head, re.I).group(1)) - len(rest)
        while left:
            time.sleep(served.pause)
            left -= len(connection.recv(65536))
        answer(connection, b"taken")
    elif path == "/early":
        answer(connection, b"too large", "413 Content Too Large")
    elif path == "/events":
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        for number in range(3):
            connection.sendall(b"9\r\ndata: %d\n\n\r\n" % number)
            need(served.heard.wait(30), "the first is not there yet")
        connection.sendall(b"0\r\n\r\n")
    elif path == "/hmr":
        connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                           b"Sec-WebSocket-Accept: x\r\n\r\n")
        while True:
            piece = connection.recv(65536)
            if not piece or piece == b"bye":
                break
            connection.sendall(piece)
    elif path == "/login":
        answer(connection, b"", "303 See Other", "text/plain", f"Location: https://localhost:{port}/private",
               "Set-Cookie: sid=1; Secure; HttpOnly; SameSite=Lax; Path=/; Domain=localhost", "Set-Cookie: __Host-csrf=2; Secure; Path=/",
               "Set-Cookie: third=3; Secure; SameSite=None", "Strict-Transport-Security: max-age=1000")
    elif path == "/private":
        cookies = set(sum((line.split("; ") for line in header(head, "Cookie")), []))
        known = cookies == {"sid=1", "__Host-csrf=2", "third=3"}
        answer(connection, b'<div id="root"><p>%s</p></div>' % (b"Welcome" if known else repr(cookies).encode()), "200 OK", "text/html",
               "Content-Security-Policy: upgrade-insecure-requests; default-src 'self'; connect-src 'self'")
    else:
        answer(connection, f"{method} {path}".encode())


def start(home, port, host="localhost", path="/"):
    return json.loads(as_person(home, "preview", f"https://{host}:{port}{path}", "--json"))["session"]


def stop(home, session):
    as_person(home, "stop", session["sessionId"])


@contextlib.contextmanager
def previewed(home, served, **how):
    session = start(home, served.port, **how)
    try:
        yield session["url"].rstrip("/"), session
    finally:
        stop(home, session)


def dial(origin):
    fd = socket.create_connection(("127.0.0.1", int(origin.rsplit(":", 1)[1])), 30)
    return fd


def header(head, name):
    return [line.split(": ", 1)[1] for line in head.split("\r\n") if line.lower().startswith(name.lower() + ":")]


def pages(home, client, served, origin, session):
    with step("S16. a page of a server with TLS: its block and script, its policy, Host and Origin the server's own"):
        got, page = fetch(origin, "/")
        need(got.status == 200 and page.count(b"skaffa-rt-config") == 1 and b"<p>hello</p>" in page, f"{got.status} {page}")
        block = block_of(page)
        need(block["channelUrl"] == origin.replace("http:", "ws:") + "/__skaffa/rt", f"{block}")
        policy = got.headers["Content-Security-Policy"]
        need("'nonce-" in policy and "X-Frame-Options" not in got.headers, f"{got.headers}")
        need(header(served.seen[-1], "Host") == [f"localhost:{served.port}"], served.seen[-1])
        fetch(origin, "/post", method="POST", Origin=origin)
        need(header(served.seen[-1], "Origin") == [f"https://localhost:{served.port}"], served.seen[-1])
        adapter = Adapter(block, origin=origin)
        adapter.ready()
        until(lambda: client.see(f"preview/sessions/{session['sessionId']}")["data"]["state"] == "ready", "ready")
        adapter.end()
    with step("S17. redirects to the server's own https origin lead to the gateway, others pass"):
        for name, to in (("own", f"{origin}/there?a=1"), ("number", f"{origin}/there"), ("slashes", f"{origin}/there"),
                         ("path", "/there"), ("plain", f"http://localhost:{served.port}/there"), ("away", "https://example.org/x"),
                         ("port", "https://localhost:1/x")):
            got, _ = fetch(origin, f"/to/{name}")
            need(got.headers["Location"] == to, f"{name}: {got.headers['Location']}")


def ends(origin):
    with step("an end without TLS's own is an end; what is cut stays cut"):
        need(fetch(origin, "/ragged")[1] == b"all of it", "ragged")
        need(fetch(origin, "/notify")[1] == b"all of it", "notify")
        try:
            body = fetch(origin, "/cut")[1]
            raise AssertionError(f"whole: {body}")
        except http.client.IncompleteRead as cut:
            need(cut.partial == b"part", f"{cut.partial}")
    with step("an answer that comes before the body is taken"):
        fd = dial(origin)
        fd.sendall(b"POST /early HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5000000\r\n\r\n" + b"x" * 100_000)
        text = fd.recv(65536)
        need(b"413" in text, f"{text[:200]}")
        fd.close()


def most(kib):
    return 1 << 30 if check.sanitized() else kib


def bodies(home, served, origin):
    pid = home.discovery()["pid"]
    resident = lambda: int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{pid}/status").read()).group(1))
    with step("bodies stream both ways, whole, and a slow reader holds its sender"):
        size = 30_000_000
        got, body = fetch(origin, f"/large/{size}")
        need(len(body) == size, f"{len(body)}")
        expected = b"".join(bytes([left % 251]) * min(left, 100_000) for left in range(size, 0, -100_000))
        need(body == expected, "changed on its way")
        served.pause = 0
        got, text = fetch_body(origin, "/up", b"u" * 20_000_000)
        need((got.status, text) == (200, b"taken"), f"{got.status} {text}")
        before = resident()
        fd = dial(origin)
        fd.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        fd.sendall(b"GET /large/200000000 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        held = -1
        while served.sent != held:
            held = served.sent
            time.sleep(1)
        need(0 < held < 30_000_000 and resident() - before < most(8000), f"{held} sent, {resident() - before} KiB more")
        got = 0
        while got < 60_000_000:
            got += len(fd.recv(1 << 20))
        need(served.sent > 40_000_000, "it goes on again")
        fd.close()
        served.pause = 0.05
        fd = dial(origin)
        fd.setblocking(False)
        fd.sendall(b"POST /up HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 200000000\r\n\r\n")
        sent, end = 0, time.monotonic() + 2
        while time.monotonic() < end:
            try:
                sent += fd.send(b"u" * 65536)
            except BlockingIOError:
                time.sleep(0.01)
        need(sent < 30_000_000 and resident() - before < most(16000), f"{sent} taken, {resident() - before} KiB more")
        fd.close()
    with step("events come as they are sent"):
        fd = dial(origin)
        fd.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        text = b""
        while b"data: 0" not in text:
            text += fd.recv(65536)
        served.heard.set()
        while not text.endswith(b"0\r\n\r\n"):
            text += fd.recv(65536)
        need(text.count(b"data: ") == 3, f"{text}")
        fd.close()


def fetch_body(origin, path, body):
    connection = http.client.HTTPConnection(origin.removeprefix("http://"), timeout=60)
    connection.request("POST", path, body=body)
    got = connection.getresponse()
    text = got.read()
    connection.close()
    return got, text


def sockets(origin):
    with step("S16. WebSockets pass to wss, both ways, large and small, until one ends"):
        fd = dial(origin)
        fd.sendall(b"GET /hmr HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                   b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        text = b""
        while b"\r\n\r\n" not in text:
            text += fd.recv(65536)
        need(b" 101 " in text, f"{text}")
        for size in (1, 100, 16384, 16385, 1_000_000):
            sender = threading.Thread(target=fd.sendall, args=(b"w" * size,))
            sender.start()
            got = 0
            while got < size:
                piece = fd.recv(65536)
                need(piece and not piece.strip(b"w"), f"{size}: {got} and {piece[:40]}")
                got += len(piece)
            sender.join()
        time.sleep(0.3)
        fd.sendall(b"bye")
        need(fd.recv(100) == b"", "the server's end")
        fd.close()


def in_chromium(client, origin, session):
    with step("in Chromium: a login with Secure cookies, and the adapter on a page whose policy upgrades requests"):
        page = Chromium(f"{origin}/login")
        if not page.is_there():
            return  # the reason has been said
        need("Welcome" in page.do("text"), page.do("text"))
        until(lambda: client.see(f"preview/sessions/{session['sessionId']}")["data"]["state"] == "ready", "ready")
        need(page.do("faults") == [], f"{page.do('faults')}")
        page.end()


CONFIG = """import {{ mergeConfig }} from 'vite';
import base from './{base}';
import {{ readFileSync }} from 'node:fs';
export default mergeConfig(base, {{ server: {{ https: {{ cert: readFileSync({cert!r}), key: readFileSync({key!r}) }} }} }});
"""


@contextlib.contextmanager
def vite(shop, files):
    """The project's Vite, with TLS; it speaks HTTP/2 to whoever wants."""
    base = next(name for name in os.listdir(shop) if name.startswith("vite.config"))
    with open(os.path.join(shop, "safe.config.mjs"), "w", encoding="utf-8") as file:
        file.write(CONFIG.format(base=base, cert=files[0], key=files[1]))
    child = subprocess.Popen([os.path.join(NODE, "node"), "node_modules/vite/bin/vite.js", "--config", "safe.config.mjs", "--port", "0",
                              "--host", "127.0.0.1"], cwd=shop, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                             env={**os.environ, "NO_COLOR": "1"})
    said = []
    try:
        for line in child.stdout:
            said.append(line)
            found = re.search(r"https://127\.0\.0\.1:(\d+)/", line)
            if found:
                yield int(found.group(1))
                return
        raise AssertionError(f"Vite says no address: {said}")
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def real_vite(home, client, files):
    lane = "harbour"
    if missing(lane):
        check.skipped("workbench-secure", "Vite with TLS", missing(lane))
        return
    shop = copy_of(lane, "secure")
    with step("the real Vite with TLS, in Chromium: the page, its modules, and hot reload"), vite(shop, files) as port:
        session = start(home, port, host="127.0.0.1")
        page = Chromium(session["url"])
        if not page.is_there():
            return
        until(lambda: client.see(f"preview/sessions/{session['sessionId']}")["data"]["state"] == "ready", "ready", 30)
        need("Order now" in page.do("text"), page.do("text"))
        source = os.path.join(shop, "src", "pages", "Home.tsx")
        with open(source, encoding="utf-8") as file:
            text = file.read()
        page.do("mark")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text.replace("Order now", "Order hot"))
        until(lambda: "Order hot" in page.do("text"), "hot reload")
        need(page.do("marked") is True, "the page was loaded anew")
        need(page.do("faults") == [], f"{page.do('faults')}")
        page.end()
        stop(home, session)


def many(home, origin):
    pid = home.discovery()["pid"]
    with step("60 requests at once, each with its own handshake: all are answered, the loop serves others meanwhile"):
        failed = []

        def ask(number):
            got, text = fetch(origin, f"/n{number}")
            if text != f"GET /n{number}".encode():
                failed.append((number, got.status, text))

        beside = subprocess.Popen([sys.executable, os.path.abspath(__file__), "health", home.env["TENON_HTTP_PORT"]],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        beside.stdout.readline()
        before, began = daemon.loop_ns(pid), time.monotonic()
        threads = [threading.Thread(target=ask, args=(number,)) for number in range(60)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        spent, took = (daemon.loop_ns(pid) - before) / 1e6, time.monotonic() - began
        longest = float(beside.communicate("")[0])
        need(not failed, f"{failed[:3]}")
        print(f"# 60 handshakes: {spent:.0f} ms of the loop, {took * 1000:.0f} ms; /health at most {longest * 1000:.0f} ms")
        need(spent / 60 < 10 or check.sanitized(), f"{spent / 60:.1f} ms of the loop for each")


def raw(act):
    """A server without TLS, or that tries to break it."""
    return Served(lambda connection, _: act(connection))


def drain(connection):
    with contextlib.suppress(OSError):
        while connection.recv(65536):
            pass


def record(kind, payload, version=0x0303):
    return struct.pack(">BHH", kind, version, len(payload)) + payload


def flood(connection):
    """A handshake message that never ends."""
    connection.recv(65536)
    with contextlib.suppress(OSError):
        connection.sendall(record(22, b"\x02\xff\xff\xff" + b"x" * 16000))
        while True:
            connection.sendall(record(22, b"x" * 16384))


HOSTILE = {
    "speaks no TLS": lambda c: (head_or_nothing(c), c.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n"), drain(c)),
    "closes at once": lambda c: None,
    "closes after the hello": lambda c: c.recv(65536),
    "says an alert": lambda c: (c.recv(65536), c.sendall(record(21, b"\x02\x28")), drain(c)),
    "says half a record": lambda c: (c.recv(65536), c.sendall(record(22, b"\x02" + b"x" * 40)[:20])),
    "says noise": lambda c: (c.recv(65536), c.sendall(os.urandom(50_000)), drain(c)),
    "sends a hello without an end": flood,
    "sends empty records": lambda c: (c.recv(65536), c.sendall(record(22, b"") * 5000), drain(c)),
    "resets": lambda c: (c.recv(10), c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))),
}


def head_or_nothing(connection):
    connection.settimeout(1)
    with contextlib.suppress(OSError):
        connection.recv(65536)


def hostile(home):
    pid = home.discovery()["pid"]
    for what, act in HOSTILE.items():
        with step(f"a server that {what} is said so, soon"), raw(act) as served, previewed(home, served) as (origin, _):
            began = time.monotonic()
            got, text = fetch(origin, "/")
            need(got.status in (502, 504) and b"server behind this preview" in text, f"{got.status} {text}")
            check.need_soon(began, 8, "late")
            if what == "speaks no TLS":
                need(b"http://" in text, f"{text}")
    with step("a server that never ends its handshake is given up, and those who wait are served or told"):
        silent = threading.Event()  # set when all have their answers: so it is the gateway that has given up
        with raw(lambda c: (c.recv(65536), silent.wait(100))) as served, previewed(home, served) as (origin, _):
            statuses = []
            threads = [threading.Thread(target=lambda: statuses.append(fetch(origin, "/")[0].status)) for _ in range(20)]
            for thread in threads:
                thread.start()
            time.sleep(1)
            share = daemon.loop_ns(pid)
            time.sleep(1)
            share = (daemon.loop_ns(pid) - share) / 1e9
            for thread in threads:
                thread.join()
            need(set(statuses) == {504} and len(statuses) == 20, f"{statuses}")
            need(share < 0.1, f"{share} of the loop")
            silent.set()
    with step("one that leaves while it waits gives its turn to the next"):
        stuck = threading.Event()
        with raw(lambda c: (c.recv(65536), stuck.wait(20))) as served, previewed(home, served) as (origin, _):
            gone = [dial(origin) for _ in range(8)]
            for fd in gone:
                fd.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            time.sleep(0.5)
            for fd in gone:
                fd.close()
            began = time.monotonic()
            need(fetch(origin, "/")[0].status == 504, "its turn")
            check.need_soon(began, 7, "its turn came late")
            stuck.set()


def http_at_tls(home, files):
    with step("a preview by http of a server with TLS says so"):
        with Served(app, context_of(files)) as served:
            session = json.loads(as_person(home, "preview", f"http://localhost:{served.port}/", "--json"))["session"]
            got, text = fetch(session["url"].rstrip("/"), "/")
            need(got.status == 502 and b"https://" in text, f"{got.status} {text}")
            stop(home, session)


def names(home, files):
    with step("servers are named by localhost, 127.x and [::1]; a name or another machine is refused"):
        with Served(app, context_of(files), family=socket.AF_INET6) as served:
            for host in ("[::1]", "localhost"):
                with previewed(home, served, host=host) as (origin, _):
                    need(fetch(origin, "/x")[1] == b"GET /x", host)
        for url in ("https://example.org/", "https://127.0.0.1.example.org/", "https://192.0.2.1/", "https://[2001:db8::1]/"):
            told = as_person(home, "preview", url, code=5)
            need("this machine" in told, told)
        told = as_person(home, "preview", f"https://127.0.0.1:{home.env['TENON_HTTP_PORT']}/", code=5)
        need("port of ours" in told, told)
    with step("TLS 1.2 and 1.3 both"):
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            with Served(app, context_of(files, minimum_version=version, maximum_version=version)) as served:
                with previewed(home, served, host="127.0.0.1") as (origin, _):
                    need(fetch(origin, "/x")[1] == b"GET /x", f"{version}")
                    need(len(fetch(origin, "/large/3000000")[1]) == 3_000_000, f"{version}")


def health(port):
    """How long the daemon takes to answer, at most, until standard input ends: in a process of its own."""
    print("ready", flush=True)
    longest, connection = 0.0, http.client.HTTPConnection("127.0.0.1", int(port))
    while not select.select([sys.stdin], [], [], 0.001)[0]:
        began = time.monotonic()
        connection.request("GET", "/health")
        connection.getresponse().read()
        longest = max(longest, time.monotonic() - began)
    print(longest)


def main():
    with daemon.Home(port=PORT) as home:
        shop = copy_demo(home)
        home.tenon("up")
        files = certificate(home.path("."))
        with Seer(links.Stdio([daemon.TENON, "mcp", "workbench"], home.env, folder=shop)) as client:
            as_person(home, "open", shop, "--read")
            with Served(app, context_of(files)) as served, previewed(home, served) as (origin, session):
                pages(home, client, served, origin, session)
                ends(origin)
                bodies(home, served, origin)
                sockets(origin)
                many(home, origin)
                in_chromium(client, origin, session)
            real_vite(home, client, files)
            http_at_tls(home, files)
            hostile(home)
            names(home, files)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(health(sys.argv[2]) if sys.argv[1:2] == ["health"] else main())
